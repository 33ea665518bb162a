import { paths } from '../contract/wire/paths.js';
import { cloudSshKeyListSchema } from '../contract/api/cloud.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { readAllRows } from './cloud-list.js';

export interface CloudSshKeyNamesInput {
  projectId: number;
  /** Exact names. */
  names: string[];
}

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
          const path = paths.cloudSshKeys(projectId);
          const rows = await readAllRows(reads, { path, response: cloudSshKeyListSchema });
          const found = new Set(rows.map(({ name }) => name));
          return names.filter((name) => found.has(name));
        }),
    },
  } satisfies ActivityGroups;
}
