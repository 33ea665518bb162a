import type { NativeConnection } from '@temporalio/worker';

import { SearchAttribute } from '../contract/wire/names.js';

/**
 * Whether the namespace has the search attributes of the product. Without them an upsert would fail
 * the workflow task forever, so runs do not set any. A server that refuses this call (it may not be
 * allowed) counts as one without them.
 */
export async function hasSearchAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<boolean> {
  try {
    const known = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.values(SearchAttribute).every((name) => name in known.customAttributes);
  } catch {
    return false;
  }
}
