import { describe, expect, it } from '@jest/globals';

import {
  broughtFloatingIpIds,
  broughtVolumeIds,
} from '../../../src/workflows/provision-instance/steps/create-request.js';
import { targetsOf } from '../../../src/workflows/provision-instance/targets.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { A_UUID } from '../../support/inputs/instance-bodies.js';

describe('what the caller brings', () => {
  it('is known by its id in the form of the API', () => {
    const id = A_UUID.toUpperCase();
    const { instance } = provisionInput({
      volumes: [{ source: 'existing-volume', volume_id: id, boot_index: 0 }],
      interfaces: [
        {
          type: 'any_subnet',
          network_id: A_UUID,
          floating_ip: { source: 'existing', existing_floating_id: id },
        },
      ],
    });

    const bodies = targetsOf(
      { projectId: 1, regionId: 1, alternatives: [{ regionId: 2 }] },
      instance,
    ).map(({ body }) => [...broughtVolumeIds(body), ...broughtFloatingIpIds(body)]);

    expect(bodies).toEqual([
      [A_UUID, A_UUID],
      [A_UUID, A_UUID],
    ]);
  });
});
