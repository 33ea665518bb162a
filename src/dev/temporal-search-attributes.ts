import type { Connection } from '@temporalio/client';

import { SearchAttribute } from '../contract/names.js';

/** `flag` is the type in the server's command line, `code` in its API. */
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

/** For a database file of an earlier version: the command line adds search attributes only to a new file. */
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
