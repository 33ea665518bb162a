import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 76 };
const ID = '3c5d7e9f-1a2b-4c3d-8e5f-6a7b8c9d0e1f';
const TARGET = { ...PLACE, volumeId: ID };

type Activities = ReturnType<typeof createScriptedApi>['activities'];

describe('a change of a volume', () => {
  it.each([
    ['v1', 'extend', { size: 40 }, (a: Activities) => a.extendVolume({ ...TARGET, size: 40 })],
    [
      'v2',
      'attach',
      { instance_id: 'i-1' },
      (a: Activities) => a.attachVolume({ ...TARGET, instanceId: 'i-1' }),
    ],
    [
      'v2',
      'detach',
      { instance_id: 'i-1' },
      (a: Activities) => a.detachVolume({ ...TARGET, instanceId: 'i-1' }),
    ],
  ] as const)(
    'is one POST, and answers with its tasks: %s %s',
    async (...[version, action, body, call]) => {
      const { activities, requests } = createScriptedApi(() => json({ tasks: ['task-1'] }));

      const answer = await inActivity(() => call(activities));

      expect(answer).toEqual({ taskIds: ['task-1'] });
      expect(requests).toMatchObject([{ method: 'POST', body }]);
      expect(requests[0]?.url.pathname).toBe(`/cloud/${version}/volumes/1/76/${ID}/${action}`);
    },
  );

  it('names no task of a revert, whose answer is empty', async () => {
    const { activities, requests } = createScriptedApi(() => new Response(null, { status: 204 }));

    const answer = await inActivity(() => activities.revertVolume(TARGET));

    expect(answer).toEqual({ taskIds: [] });
    expect(requests[0]?.url.pathname).toBe(`/cloud/v1/volumes/1/76/${ID}/revert`);
  });
});
