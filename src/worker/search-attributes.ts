import type { NativeConnection } from '@temporalio/worker';

import { SearchAttribute } from '../contract/names.js';

/**
 * Whether the namespace has the product's search attributes. Without them an upsert would fail the
 * workflow task for ever, so runs are told not to set any. A server that does not answer this call
 * (it may not be allowed) counts as one without.
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
