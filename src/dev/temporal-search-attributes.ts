import { SearchAttribute } from '../contract/wire/names.js';

/** The types as the server's command line names them. */
const TYPES = {
  [SearchAttribute.phase]: 'Keyword',
  [SearchAttribute.account]: 'Keyword',
  [SearchAttribute.resourceId]: 'KeywordList',
} as const;

export function searchAttributeArguments(): string[] {
  return Object.entries(TYPES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]);
}
