import { paths } from '../contract/wire/paths.js';
import { cloudSshKeyListSchema } from '../contract/api/cloud.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { LIST_LIMIT } from './cloud-list.js';

export interface CloudSshKeyNamesInput {
  projectId: number;
  /** Exact names. */
  names: string[];
}

const MAX_PAGES = 20;

export function createCloudSshKeyActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * Which of these names are keys for instances of the project. `GET /cloud/v1/ssh_keys/{project_id}`
       *
       * The list has no filter by name, and the caller needs few rows: this activity reads all pages.
       */
      findCloudSshKeyNames: ({ projectId, names }: CloudSshKeyNamesInput): Promise<string[]> =>
        withPatientReads(api, async (reads) => {
          const found = await listNames(reads, projectId);
          return names.filter((name) => found.has(name));
        }),
    },
  } satisfies ActivityGroups;
}

async function listNames(reads: ApiClient, projectId: number): Promise<Set<string>> {
  const found = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page++) {
    const { results } = await reads.request({
      method: 'GET',
      path: paths.cloudSshKeys(projectId),
      query: { limit: LIST_LIMIT, offset: page * LIST_LIMIT },
      response: cloudSshKeyListSchema,
      isLarge: true,
      repeatable: true,
    });
    for (const { name } of results) found.add(name);
    if (results.length < LIST_LIMIT) break;
  }
  return found;
}
