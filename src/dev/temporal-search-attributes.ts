import type { Connection } from '@temporalio/client';

import { SearchAttribute } from '../contract/names.js';

/** A type as the command line of the server names it, and its number in the server's API. */
const KEYWORD = { flag: 'Keyword', code: 2 } as const;
const KEYWORD_LIST = { flag: 'KeywordList', code: 7 } as const;

const TYPES = {
  [SearchAttribute.phase]: KEYWORD,
  [SearchAttribute.account]: KEYWORD,
  [SearchAttribute.resourceId]: KEYWORD_LIST,
} as const;

export function searchAttributeArguments(): string[] {
  return Object.entries(TYPES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type.flag}`,
  ]);
}

/** Needed for a database file from an earlier version: the command line counts for new files only. */
export async function addMissingSearchAttributes(
  { operatorService }: Connection,
  namespace: string,
): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(TYPES).filter(([name]) => !(name in customAttributes));
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(missing.map(([name, { code }]) => [name, code]));
    await operatorService.addSearchAttributes({ namespace, searchAttributes });
  }
}
