import { describe, expect, it } from '@jest/globals';

import { createManifestReader } from '../../src/activities/index.js';
import { createScanActivities } from '../../src/activities/scan-videos.js';
import { inActivity } from '../support/http/in-activity.js';
import { createManifestRoot } from '../support/worlds/manifests.js';
import { video } from '../support/worlds/videos.js';

const LINES = [
  video('a'),
  { ...video('b'), origin_http_headers: 'Authorization: canary-1' },
  { ...video('c'), origin_url: 'sftp://me:canary-2@files.example.test/c' },
  { name: 'd' },
];

describe('surveyVideos', () => {
  it('cuts the list like a scan and counts facts for a plan', async () => {
    const root = createManifestRoot({ 'videos.jsonl': LINES });
    const activities = createScanActivities({ manifests: createManifestReader({ root }) });
    const input = { manifest: { url: 'file:videos.jsonl' }, canary: 1 };

    const scanned = await inActivity(() => activities.scanVideos(input));
    const { facts, ...surveyed } = await inActivity(() => activities.surveyVideos(input));

    expect(surveyed).toEqual(scanned);
    expect(facts).toEqual({ originsWithCredentials: 1, originsWithHeaders: 1, uploads: 1 });
    expect(JSON.stringify([surveyed, facts])).not.toContain('canary');
  });
});
