import { toPath } from '../../engine/core/fault-path.js';
import { toCanonicalJson } from '../../engine/core/canonical-json.js';

/** The paths at which two values differ, such as `instance.volumes[0].size`. Never names a value. */
export function differingPaths(
  before: unknown,
  now: unknown,
  at: readonly PropertyKey[] = [],
): string[] {
  if (toCanonicalJson(before) === toCanonicalJson(now)) return [];
  if (!(before instanceof Object) || !(now instanceof Object)) return [toPath(at)];
  if (Array.isArray(before) !== Array.isArray(now)) return [toPath(at)];
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  const toSegment = (key: string): PropertyKey => (Array.isArray(now) ? Number(key) : key);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    differingPaths(left.get(key), right.get(key), [...at, toSegment(key)]),
  );
}
