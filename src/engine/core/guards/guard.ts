/**
 * What a message between a client, a run and its helpers has to look like. Written by hand, because workflows check
 * messages and zod would double their bundle.
 */
import { jsonByteLength } from '../text.js';
import type { Fault } from '../failures.js';
import { pathBelow, firstFaults, textFault } from '../faults.js';

/** Says of any value whether it is a `T`. Never throws, and repeats no value. */
export interface Guard<T> {
  /** Every fault by its path; none for a `T`. */
  readonly faults: (value: unknown, path: string) => Fault[];
  /** Only for the compiler: it tells guards of different types apart. */
  readonly of?: () => T;
}

/** The path of a whole argument. */
export const ARGUMENT = '(argument)';

/** Few and short ones: a refusal that is too large for the server would fail the workflow task. */
export function faultsIn(guard: Guard<unknown>, value: unknown): Fault[] {
  const faults = guard.faults(value, '');
  return firstFaults(faults.map((fault) => ({ ...fault, path: fault.path || ARGUMENT })));
}

export function isSound<T>(guard: Guard<T>, value: unknown): value is T {
  return guard.faults(value, '').length === 0;
}

function bytesOf(value: string): number {
  return jsonByteLength(value) - '""'.length;
}

/** @param test undefined for a sound value, else what is wrong with it */
export function guardOf<T>(test: (value: unknown) => string | undefined): Guard<T> {
  return {
    faults: (value, path) => {
      const message = value === undefined ? 'is missing' : test(value);
      return message === undefined ? [] : [{ path, message }];
    },
  };
}

/** @param bounds bytes as JSON, without the quotes */
export function text({
  min = 0,
  max = Infinity,
}: { min?: number; max?: number } = {}): Guard<string> {
  return guardOf((value) => {
    if (typeof value !== 'string') return 'must be a text';
    if (value.length < min) return 'must not be empty';
    // Measures only what may be too long: JSON never makes a text shorter.
    const isTooLong = value.length > max || (value.length * 6 > max && bytesOf(value) > max);
    return isTooLong ? `must have at most ${max} bytes` : textFault(value);
  });
}

export function wholeNumber(bounds: { min: number; max: number }): Guard<number> {
  const { min, max } = bounds;
  return guardOf((value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`,
  );
}

export function oneOf<const T extends string | true>(allowed: readonly T[]): Guard<T> {
  const known: ReadonlySet<unknown> = new Set(allowed);
  return guardOf((value) =>
    known.has(value) ? undefined : `must be ${allowed.map(String).join(', ')}`,
  );
}

export function optional<T>({ faults }: Guard<T>): Guard<T | undefined> {
  return {
    faults: (value, path) => (value === undefined ? [] : faults(value, path)),
  };
}

export function listOf<T>({ faults }: Guard<T>, { max }: { max: number }): Guard<T[]> {
  return {
    faults: (value, path) => {
      if (!Array.isArray(value)) return [{ path, message: 'must be a list' }];
      if (value.length > max) return [{ path, message: `must have at most ${max} items` }];
      const items: readonly unknown[] = value;
      return items.flatMap((item, index) => faults(item, `${path}[${index}]`));
    },
  };
}

type Shape<T> = { readonly [K in keyof T]-?: Guard<T[K]> };

/**
 * @param isOpen fields that are not known are left alone: a newer version may send them. An operator's misspelt field
 *   would be ignored, so what people send is closed.
 */
export function object<T extends object>(
  shape: Shape<T>,
  { isOpen = false }: { isOpen?: boolean } = {},
): Guard<T> {
  const fields: [string, Guard<unknown>][] = Object.entries(shape);
  const known: ReadonlySet<string> = new Set(fields.map(([name]) => name));
  return {
    faults: (value, path) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return [{ path, message: value === undefined ? 'is missing' : 'must be an object' }];
      }
      const given = new Map<string, unknown>(Object.entries(value));
      const at = (name: string): string => pathBelow(path, name);
      const unknown = isOpen ? [] : [...given.keys()].filter((name) => !known.has(name));
      return [
        ...fields.flatMap(([name, { faults }]) => faults(given.get(name), at(name))),
        ...unknown.map((name) => ({ path: at(name), message: 'is not a known field' })),
      ];
    },
  };
}
