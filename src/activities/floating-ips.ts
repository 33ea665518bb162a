import { paths } from '../contract/api/paths.js';
import { taskIdsSchema } from '../contract/api/common.js';
import { floatingIpListSchema } from '../contract/api/floating-ip.js';
import type { Place } from '../contract/place.js';
import type { ActivityGroups } from './activity-groups.js';
import type { ApiClient } from './http/api-client.js';
import { startedRemoval, type StartedRemoval } from './instances.js';
import { LIST_LIMIT } from './cloud-list.js';

export function createFloatingIpActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * Ids of the floating IPs that these tasks created. They have no tags of ours, so their
       * `creator_task_id` links them to a create call.
       */
      async listFloatingIps(input: Place & { creatorTaskIds: string[] }): Promise<string[]> {
        const { results } = await api.request({
          method: 'GET',
          path: paths.floatingIps(input),
          query: { limit: LIST_LIMIT },
          response: floatingIpListSchema,
          repeatable: true,
        });
        return results
          .filter(({ creator_task_id: id }) => input.creatorTaskIds.includes(id ?? ''))
          .map((item) => item.id);
      },
    },
    deletes: {
      /** No task ids when the floating IP was already gone. */
      async deleteFloatingIp(input: Place & { floatingIpId: string }): Promise<StartedRemoval> {
        const path = paths.floatingIp(input, input.floatingIpId);
        return startedRemoval(
          api.request({ method: 'DELETE', path, response: taskIdsSchema, repeatable: true }),
        );
      },
    },
  } satisfies ActivityGroups;
}
