import { paths } from '../contract/api/paths.js';
import { sshKeyListSchema } from '../contract/api/ssh-key.js';
import type { ActivityGroups } from './activity-groups.js';
import type { ApiClient } from './http/api-client.js';

/** A key as it stands in the result of a run: what the API documents, and nothing else it may send. */
export interface SshKeyView {
  id: number;
  name: string;
  publicKey: string;
  createdAt: string;
}

export interface SshKeyPageInput {
  offset: number;
  /** At most so many rows; 1 to 1000. */
  limit: number;
  /** Part of the name. */
  name?: string;
}

export interface SshKeyPage {
  /** In the order of the API; fewer than asked for also where the page would be too large for history. */
  keys: SshKeyView[];
  /** What the API says that there are on all pages. */
  count: number;
}

/** Temporal warns of payloads above 512 KiB. A page of ed25519 keys is half of it, RSA keys come in two. */
const MAX_BYTES = 500_000;

export function createSshKeyActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * One page of the keys for SFTP, the oldest first. `GET /storage/v4/ssh_keys`
       *
       * The order of the API would be the newest first, where each new key shifts all others; its
       * limit would be 10.
       */
      async listSshKeyPage({ offset, limit, name }: SshKeyPageInput): Promise<SshKeyPage> {
        const { count, results } = await api.request({
          method: 'GET',
          path: paths.sshKeys(),
          query: { offset, limit, order_by: 'created_at.asc', name },
          response: sshKeyListSchema,
          repeatable: true,
        });
        const keys = results.map(({ id, name: called, public_key, created_at }) => ({
          id,
          name: called,
          publicKey: public_key,
          createdAt: created_at,
        }));
        return { keys: firstThatFit(keys), count };
      },
    },
  } satisfies ActivityGroups;
}

/** The rest is asked for with the next page. */
function firstThatFit(keys: readonly SshKeyView[]): SshKeyView[] {
  let bytes = 0;
  const tooMany = keys.findIndex((key) => {
    bytes += Buffer.byteLength(JSON.stringify(key));
    return bytes > MAX_BYTES;
  });
  return tooMany === -1 ? [...keys] : keys.slice(0, tooMany);
}
