import { describe, expect, it } from '@jest/globals';

import { createActivityEnvironment, inActivity } from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';

const HOUR = 3_600_000;

describe('the clock of the API', () => {
  it('is compared with that of the Temporal server, which times are recorded by', async () => {
    const { activities, api } = createScriptedApi(() =>
      json({ count: 0, results: [] }, 200, { date: new Date().toUTCString() }),
    );
    const currentAttemptScheduledTimestampMs = Date.now() + HOUR;
    const environment = createActivityEnvironment({ currentAttemptScheduledTimestampMs });

    await inActivity(
      () => activities.listDdosProfiles({ projectId: 1, regionId: 1, address: '203.0.113.7' }),
      environment,
    );

    expect(Math.round((api.clock.aheadMs() ?? 0) / HOUR)).toBe(-1);
  });
});
