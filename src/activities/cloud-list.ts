/** The largest page of a cloud list; some lists have a default of 10. */
export const LIST_LIMIT = 1_000;

/** Query value of `tag_key_value`: a JSON object as text (guide on tags). */
export function tagFilter(key: string, value: string): string {
  return JSON.stringify({ [key]: value });
}
