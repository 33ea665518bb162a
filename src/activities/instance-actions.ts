import type { Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { change } from './cloud-calls.js';

export interface InstanceTarget extends Place {
  instanceId: string;
}

/** What changes an instance that exists. Each makes one attempt: see engine/send/change-once. */
export function createInstanceActionActivities({ api }: { api: ApiClient }) {
  return {
    mutations: {
      /** `POST /cloud/v1/instances/…/{instance_id}/changeflavor` */
      resizeInstance: ({ instanceId, flavor, ...place }: InstanceTarget & { flavor: string }) =>
        change(api, {
          method: 'POST',
          path: paths.changeFlavor(place, instanceId),
          body: { flavor_id: flavor },
        }),

      /** `POST /cloud/v2/instances/…/{instance_id}/action` */
      setInstancePower: ({ instanceId, action, ...place }: InstanceTarget & { action: string }) =>
        change(api, {
          method: 'POST',
          path: paths.instanceAction(place, instanceId),
          body: { action },
        }),
    },
  } satisfies ActivityGroups;
}
