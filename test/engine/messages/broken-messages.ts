import fc from 'fast-check';

/** A sound message in which one field, at any depth, is any JSON value or is missing; or any JSON value. */
export function brokenOf(sound: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(junk(), { weight: 3, arbitrary: fieldBroken(sound) });
}

/** Bounds that matter to the code that works with a message, besides any JSON. */
function junk(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', '\ud800', 'x'.repeat(5_000), 1e300, -1, 0.5, null, [null], {}, [''], true),
  );
}

function fieldBroken(sound: unknown): fc.Arbitrary<unknown> {
  if (typeof sound !== 'object' || sound === null) return junk();
  const fields: [string, unknown][] = Object.entries(sound);
  if (fields.length === 0) return junk();
  return fc.constantFrom(...fields).chain(([name, value]) =>
    fc.oneof(brokenOf(value), fc.constant(undefined)).map((broken) => {
      const rest = fields.filter(([other]) => other !== name);
      const all = broken === undefined ? rest : [...rest, [name, broken] as const];
      return Array.isArray(sound) ? all.map(([, item]) => item) : Object.fromEntries<unknown>(all);
    }),
  );
}
