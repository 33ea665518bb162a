import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 1 };
const GONE = json({ exception_class: 'NotFound', message: 'not found' }, 404);

describe('listExistingParts', () => {
  it('names what exists by the ids that were asked for, and leaves out the rest', async () => {
    const { activities } = createScriptedApi(({ url }) =>
      url.endsWith('/V-1')
        ? json({ id: 'v-1', status: 'available', attachments: [] })
        : GONE.clone(),
    );
    const ids = { ...PLACE, volumeIds: ['V-1', 'v-2'], floatingIpIds: ['f-1'] };

    expect(await inActivity(() => activities.listExistingParts(ids))).toEqual({
      volumes: [{ id: 'V-1', status: 'available', attachedTo: [] }],
      floatingIps: [],
    });
  });
});
