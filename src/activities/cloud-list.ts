/** The most that a list of the cloud area gives in one page; the default of some is 10. */
export const LIST_LIMIT = 1_000;

/** Query value of `tag_key_value`: a JSON object as text (guide on tags). */
export function tagFilter(key: string, value: string): string {
  return JSON.stringify({ [key]: value });
}
