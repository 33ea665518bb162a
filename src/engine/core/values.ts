/**
 * Whether a value that an API shows is the one that was sent. It may return a number as a text and a text as a number,
 * the fields of an object in another order, and a list in another order: as far as known, no list of the API has an
 * order that means anything. What stands twice has to come back twice.
 */
export function isSameValue(shown: unknown, wanted: unknown): boolean {
  return formOf(shown) === formOf(wanted);
}

/** Equal for values that are the same. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formOf).sort().join(',')}]`;
  if (!(value instanceof Object)) return JSON.stringify(String(value));
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${formOf(item)}`);
  return `{${members.sort().join(',')}}`;
}

/** JSON without spaces, with sorted keys and without fields that are `undefined`. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (!(value instanceof Object)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item)}`);
  return `{${members.join(',')}}`;
}
