import type { Connection } from '@temporalio/client';

import { SearchAttribute } from '../../src/contract/wire/names.js';

/** The types by their code in the server's API. */
const TYPES = {
  [SearchAttribute.phase]: 2,
  [SearchAttribute.account]: 2,
  [SearchAttribute.resourceId]: 7,
} as const;

/** Adds the search attributes that a given server lacks. */
export async function addMissingSearchAttributes(
  { operatorService }: Connection,
  namespace: string,
): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(TYPES).filter(([name]) => !(name in customAttributes));
  if (missing.length === 0) return;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing),
  });
}
