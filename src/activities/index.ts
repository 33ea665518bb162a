import { createFloatingIpActivities } from './floating-ips.js';
import type { ApiClient } from './http/api-client.js';
import { createInstanceActivities } from './instances.js';
import { createTaskActivities } from './tasks.js';
import { createVolumeActivities } from './volumes.js';

export { createApiClient, type ApiClient, type ApiClientOptions } from './http/api-client.js';
export { createPrepareActivities, type PrepareDeps } from './prepare.js';

/** The HTTP activities of one account, one per endpoint: the table of contents of what is sent to the API. */
export function createApiActivities(deps: { api: ApiClient }) {
  return {
    ...createInstanceActivities(deps),
    ...createVolumeActivities(deps),
    ...createFloatingIpActivities(deps),
    ...createTaskActivities(deps),
  };
}

export type ApiActivities = ReturnType<typeof createApiActivities>;
