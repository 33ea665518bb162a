import { createHash } from 'node:crypto';

/** Tag values that the API accepts (api.md §1.4; the guide asks for at least three characters). */
const TAG_VALUE = /^[\x21-\x7e][\x20-\x7e]{1,253}[\x21-\x7e]$/;

/**
 * `<namespace>/<Workflow Id>`: the same for every attempt, repeat and re-run of one request, and
 * readable for a person who finds it in the cloud console. Hashed when a tag cannot hold it.
 */
export function toMarker(namespace: string, workflowId: string): string {
  const plain = `${namespace}/${workflowId}`;
  return TAG_VALUE.test(plain)
    ? plain
    : `sha256:${createHash('sha256').update(plain).digest('hex')}`;
}
