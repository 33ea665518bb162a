import { sftpStorageListSchema } from '../contract/api/storage.js';
import { paths } from '../contract/wire/paths.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { readAllRows } from './cloud-list.js';

type Order = 'oldest first' | 'newest first';

const ORDERS = { 'oldest first': 'created_at.asc', 'newest first': 'created_at.desc' } as const;

/** Ids of the storages that have the key. A row that one order lacks, the other may show. */
export async function readStoragesOfKey(
  reads: ApiClient,
  keyId: number,
  order: Order,
): Promise<number[]> {
  const storages = await readAllRows(reads, {
    path: paths.sftpStorages(),
    query: { order_by: ORDERS[order] },
    response: sftpStorageListSchema,
  });
  return storages.flatMap(({ id, ssh_key_ids: keys }) => (keys.includes(keyId) ? id : []));
}
