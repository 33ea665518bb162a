import { namespaceIdOf } from '../contract/maker.js';

/** The largest page of a cloud list; some lists have a default of 10. */
export const LIST_LIMIT = 1_000;

/** Query value of `tag_key_value`: a JSON object as text (guide on tags). */
export function tagFilter(key: string, value: string): string {
  return JSON.stringify({ [key]: value });
}

export function tagOf(
  { tags }: { tags: readonly { key: string; value: string }[] },
  key: string,
): string | undefined {
  return tags.find((tag) => tag.key === key)?.value;
}

/** Two Temporal clusters may use one account and the same ids. What the other one made is not ours. */
export function isOfNamespace(
  maker: string | undefined,
  { namespaceId }: { namespaceId?: string | undefined },
): boolean {
  return maker === undefined || namespaceId === undefined || namespaceIdOf(maker) === namespaceId;
}
