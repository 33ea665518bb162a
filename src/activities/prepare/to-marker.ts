import { createHash } from 'node:crypto';

/** What the API accepts as the value of a tag (api.md §1.4; the guide asks for three characters at least). */
const TAG_VALUE = /^[\x21-\x7e][\x20-\x7e]{1,253}[\x21-\x7e]$/;

/**
 * `<namespace>/<Workflow Id>`: the same for every attempt, repeat and re-run of one request, and
 * readable for a person who meets it in the cloud's console. Hashed when a tag cannot hold it.
 */
export function toMarker(namespace: string, workflowId: string): string {
  const plain = `${namespace}/${workflowId}`;
  return TAG_VALUE.test(plain)
    ? plain
    : `sha256:${createHash('sha256').update(plain).digest('hex')}`;
}
