import { describe, expect, it } from '@jest/globals';

import { markItems } from '../../../src/activities/videos/mark-items.js';
import type { VideoBatch } from '../../../src/activities/videos/video-batch.js';
import { inActivity } from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';

const items = [1, 2].map((line) => ({
  line,
  value: { name: `video-${line}`, origin_url: `https://h.test/${line}` },
}));
const batch: VideoBatch = { name: 'run 1-2', items: { kind: 'inline', items } };
const [first] = markItems(items, batch.name);

/** Looks at a list in which the video of the first line shows its marker like this. */
function look(shown: object) {
  const { activities } = createScriptedApi(() => json([{ id: 5, ...first?.value, ...shown }]));
  return inActivity(() => activities.findVideoBatch({ ...batch, since: 0, known: [] }));
}

describe('a look for the videos of a marker', () => {
  it('reads a marker that comes as a text', async () => {
    expect(await look({ client_user_id: String(first?.marker) })).toMatchObject({
      lines: '1',
      ids: '5',
      missing: '2',
      unclear: '',
    });
  });

  it.each([
    ['none', {}],
    ['null', { client_user_id: null }],
    ['one that nobody can read', { client_user_id: 'vip' }],
  ])('does not call a video absent whose marker is %s', async (_, shown) => {
    expect(await look(shown)).toMatchObject({ missing: '1-2', unclear: '5' });
  });
});
