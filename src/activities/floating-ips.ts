import { taskIdsSchema } from '../contract/api/common.js';
import { floatingIpListSchema } from '../contract/api/floating-ip.js';
import type { ApiClient } from './http/api-client.js';
import { startedUnlessGone, type StartedTasks } from './instances.js';
import { cloudPath, LIST_LIMIT, type Place } from './place.js';

export function createFloatingIpActivities({ api }: { api: ApiClient }) {
  return {
    /** Which of these floating IPs still exist. They carry no tags, so only known ids can be asked for. */
    async listFloatingIps(input: Place & { ids: string[] }): Promise<string[]> {
      const { results } = await api.request({
        method: 'GET',
        path: cloudPath('floatingips', input),
        query: { limit: LIST_LIMIT },
        response: floatingIpListSchema,
        repeatable: true,
      });
      return results.map((item) => item.id).filter((id) => input.ids.includes(id));
    },

    /** No task ids when the floating IP was gone already. */
    async deleteFloatingIp(input: Place & { floatingIpId: string }): Promise<StartedTasks> {
      const path = `${cloudPath('floatingips', input)}/${input.floatingIpId}`;
      return startedUnlessGone(
        api.request({ method: 'DELETE', path, response: taskIdsSchema, repeatable: true }),
      );
    },
  };
}
