import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 76 };
const ID = '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f';
const TARGET = { ...PLACE, instanceId: ID };

describe('a change of an instance', () => {
  it.each([
    [
      'resizeInstance',
      { flavor: 'g2-standard-4-8' },
      `/cloud/v1/instances/1/76/${ID}/changeflavor`,
      { flavor_id: 'g2-standard-4-8' },
    ],
    [
      'setInstancePower',
      { action: 'reboot_hard' },
      `/cloud/v2/instances/1/76/${ID}/action`,
      { action: 'reboot_hard' },
    ],
  ] as const)(
    '%s is one POST, and answers with its tasks',
    async (...[name, input, path, body]) => {
      const { activities, requests } = createScriptedApi(() => json({ tasks: ['task-1'] }));

      const answer = await inActivity(() =>
        name === 'resizeInstance'
          ? activities.resizeInstance({ ...TARGET, ...input })
          : activities.setInstancePower({ ...TARGET, ...input }),
      );

      expect(answer).toEqual({ taskIds: ['task-1'] });
      expect(requests).toMatchObject([{ method: 'POST', body }]);
      expect(requests[0]?.url.pathname).toBe(path);
    },
  );
});
