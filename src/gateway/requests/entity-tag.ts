import { createHash } from 'node:crypto';

/** The tag of a document: the same text has the same tag at every gateway. Without quotes. */
export function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Whether `If-None-Match` names this tag. Comparison is weak, as RFC 9110 asks for a GET. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/(?:W\/)?"([^"]*)"/g)].some(([, named]) => named === tag);
}
