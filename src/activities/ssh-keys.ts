import { paths } from '../contract/wire/paths.js';
import { sshKeyListSchema } from '../contract/api/storage.js';
import { firstThatFit } from '../engine/core/text.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';

/** A key in the result of a run: the documented fields of the API, and no other that it may send. */
export interface SshKeyView {
  id: number;
  name: string;
  publicKey: string;
  createdAt: string;
}

export interface SshKeyPageInput {
  offset: number;
  /** Maximum number of rows; 1 to 1000. */
  limit: number;
  /** Part of the name. */
  name?: string;
}

export interface SshKeyPage {
  /** In the order of the API; fewer than `limit` also when the page would be too large for a history. */
  keys: SshKeyView[];
  /** Number of keys on all pages, by the API. */
  count: number;
}

/** Temporal warns of payloads above 512 KiB. A page of ed25519 keys takes half of it; RSA keys need two pages. */
const MAX_BYTES = 500_000;

export function createSshKeyActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * One page of the SFTP keys, oldest first. `GET /storage/v4/ssh_keys`
       *
       * By default the API lists the newest first, so that each new key shifts all others, and 10 rows
       * per page.
       */
      async listSshKeyPage({ offset, limit, name }: SshKeyPageInput): Promise<SshKeyPage> {
        const { count, results } = await api.request({
          method: 'GET',
          path: paths.sshKeys(),
          query: { offset, limit, order_by: 'created_at.asc', name },
          response: sshKeyListSchema,
          isLarge: true,
          repeatable: true,
        });
        const keys = results.map(({ id, name: called, public_key, created_at }) => ({
          id,
          name: called,
          publicKey: public_key,
          createdAt: created_at,
        }));
        // The next page brings the rest.
        return { keys: firstThatFit(keys, MAX_BYTES), count };
      },
    },
  } satisfies ActivityGroups;
}
