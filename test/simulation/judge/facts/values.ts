/** Guards for what is `unknown` in the evidence. None of them throws. */

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value below these names; `undefined` where something on the way is no object. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path)
    found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

export function textsAt(value: unknown, ...path: readonly string[]): string[] {
  return listAt(value, ...path).filter((each) => typeof each === 'string');
}

/** An id of the API as the simulator stores it. */
export function idAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' ? found : undefined;
}

/** A body may be kept as it was sent. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const json: unknown = JSON.parse(value);
    return json;
  } catch {
    return value;
  }
}

/** As JSON with the names in order, to compare two values. */
export function stable(value: unknown): string {
  if (value === undefined) return 'undefined';
  return JSON.stringify(value, (_name, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || stable(a) === stable(b);
}

/** Lists may come back in another order. */
export function isSameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return isSame(a.map(stable).sort(), b.map(stable).sort());
}
