import type { Fault } from './failures.js';

/** The path of a whole input. */
const WHOLE = '(input)';

/** A name that reads as itself between two dots. Others are quoted, as JSON. */
const PLAIN = /^[^.[\]"\\\p{Cc}\p{Cs}]+$/u;

/** `['instance', 'interfaces', 0, 'type']` → `instance.interfaces[0].type`; `['tags', 'a.b']` → `tags["a.b"]` */
export function toPath(segments: readonly PropertyKey[]): string {
  return segments.reduce(pathBelow, '') || WHOLE;
}

/** @param path empty for the whole input */
export function pathBelow(path: string, segment: PropertyKey): string {
  if (typeof segment === 'number') return `${path}[${segment}]`;
  const name = String(segment);
  if (!PLAIN.test(name) || name === WHOLE) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** The faults of a part of an input, with their paths in the whole. */
export function faultsBelow(base: string, faults: readonly Fault[]): Fault[] {
  return faults.map((fault) => {
    const { path, count } = fault;
    if (count !== undefined) return fault;
    if (path === WHOLE) return { ...fault, path: base };
    return { ...fault, path: path.startsWith('[') ? `${base}${path}` : `${base}.${path}` };
  });
}

/** A name, an index, or a quoted name. */
const TOKEN = /\.?([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** The JSON Pointer (RFC 6901) of a path. What is no path, such as one that was cut, is kept as the last name. */
export function toPointer(path: string): string {
  const tokens: string[] = [];
  for (let at = 0; at < path.length && path !== WHOLE;) {
    TOKEN.lastIndex = at;
    const [whole, name, index, quoted] = TOKEN.exec(path) ?? [];
    const rest = path.slice(at);
    tokens.push(name ?? index ?? (quoted === undefined ? rest : unquoted(quoted)));
    at += (whole ?? rest).length;
  }
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
