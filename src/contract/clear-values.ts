import { isSecretRef } from './wire/secret-ref.js';
import {
  AT_TOP,
  isSecretField,
  secretValuesOf,
  standingOf,
  type Standing,
} from './wire/secret-fields.js';
import { holdsSecret } from './wire/secret-texts.js';

/** Far more than all operations have; what a stranger makes up is forgotten. */
const MOST_KNOWN = 5_000;
const LONGEST_KNOWN = 200;

/** The lines of a list have the same names again and again: each is judged once below each other. */
function rememberStandings(): (name: string, from: Standing) => Standing {
  let known = new WeakMap<Standing, Map<string, Standing>>();
  let count = 0;
  return (name, from) => {
    const before = known.get(from)?.get(name);
    if (before !== undefined) return before;
    const standing = standingOf(name, from);
    if (name.length > LONGEST_KNOWN) return standing;
    if (++count > MOST_KNOWN) {
      known = new WeakMap();
      count = 1;
    }
    known.set(from, (known.get(from) ?? new Map<string, Standing>()).set(name, standing));
    return standing;
  };
}

export const knownStanding = rememberStandings();

/** Where a secret stands in clear: the names and indexes that lead there. */
export type ClearPlace = readonly PropertyKey[];

const SECRET: Standing = { ...AT_TOP, isSecret: true, covers: true };

/**
 * The values that are secrets: by their names or those above, by the name beside them, or by what they say. A secret by its
 * name is none, nor is nothing, `true` or `false`.
 */
export function clearSecretsIn(value: unknown, at: Standing = AT_TOP): ClearPlace[] {
  if (typeof value === 'string') return isClear(value, at) ? [[]] : [];
  if (typeof value === 'number') return at.isSecret ? [[]] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return inList(value, at);
  const paired = secretValuesOf(value);
  const isRef = isSecretRef(value);
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (isRef && (name === '$secret' || name === 'key')) return [];
    return below(name, inner, isRef || paired.has(name) ? SECRET : knownStanding(name, at));
  });
}

/** A longer text below `config` is a file. */
const LONGEST_SETTING = 64;

function isClear(text: string, { isSecret, isHolder }: Standing): boolean {
  if (text === '') return false;
  const isFile = isHolder && (text.length > LONGEST_SETTING || text.includes('\n'));
  return isSecret || isFile || holdsSecret(text);
}

function inList(items: readonly unknown[], at: Standing): ClearPlace[] {
  return items.flatMap((item, index) => {
    const isNamed = isOption(items[index - 1]);
    if (isPair(item))
      return below(index, item[1], SECRET).map(([first, ...rest]) => [first ?? index, 1, ...rest]);
    return below(index, item, isNamed ? SECRET : at);
  });
}

function below(name: PropertyKey, inner: unknown, at: Standing): ClearPlace[] {
  return clearSecretsIn(inner, at).map((path) => [name, ...path]);
}

const OPTION = /^--?[\w-]{1,80}$/;

/** `--password`, before its value. */
function isOption(text: unknown): boolean {
  return typeof text === 'string' && OPTION.test(text) && knownStanding(text, AT_TOP).isSecret;
}

/** `["DB_PASSWORD", …]` in a list of such. */
function isPair(item: unknown): item is readonly [string, unknown] {
  if (!Array.isArray(item) || item.length !== 2) return false;
  const name: unknown = item[0];
  return typeof name === 'string' && isSecretField(name);
}

/** One field of whatever it is. A copy of an object with thousands costs more than the look. */
export function fieldOf(value: unknown, name: string): unknown {
  if (!(value instanceof Object) || !Object.hasOwn(value, name)) return undefined;
  const given: unknown = Reflect.get(value, name);
  return given;
}
