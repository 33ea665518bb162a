/**
 * The named fields of a message, null where it lacks one. Messages say `null` or nothing for what is
 * not there, and the types of other messages take the one but not an explicit `undefined`.
 */
export function pick<T extends object, K extends keyof T & string>(
  message: T | null | undefined,
  names: readonly K[],
): { [Name in K]: Exclude<T[Name], undefined> | null };
export function pick(message: object | null | undefined, names: readonly string[]): object {
  const fields = new Map<string, unknown>(Object.entries(message ?? {}));
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? null]));
}
