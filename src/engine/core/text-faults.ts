import type { Fault } from './failures.js';
import { toPath } from './fault-path.js';
import { MAX_FAULTS } from './first-faults.js';

/** Half a pair: JSON can write it as `\ud800`, but UTF-8 cannot, so no API call could carry it. */
const HALF_OF_A_PAIR = /\p{Surrogate}/u;

/**
 * What is wrong with one text: where half of a surrogate pair is; `undefined` for well-formed Unicode. Free of
 * zod, and repeats nothing of the text.
 */
export function textFault(text: string): string | undefined {
  if (text.isWellFormed()) return undefined;
  const at = text.search(HALF_OF_A_PAIR) + 1;
  return `has half of a surrogate pair at character ${at}, which is no Unicode: correct the program that wrote it`;
}

/**
 * Texts and names of fields, at any depth, that are no Unicode or could not be kept: by path, at most 20 of them.
 */
export function textFaults(value: unknown): Fault[] {
  const faults: Fault[] = [];
  const note = (path: () => readonly (string | number)[], fault: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ path: toPath(path()), message: fault });
  };
  // A stack of its own: a function that calls itself would run out of it.
  const open: Place[] = [{ value, above: undefined, segment: '' }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: found } = place;
    const here = place;
    if (typeof found === 'string') {
      const fault = textFault(found);
      if (fault !== undefined) note(() => segmentsOf(here), fault);
    } else if (typeof found === 'object' && found !== null) {
      const isList = Array.isArray(found);
      for (const [name, inner] of Object.entries(found).reverse()) {
        const fault = isList ? undefined : nameFault(name);
        // A path that repeats the name would not be Unicode either.
        if (fault !== undefined) note(() => segmentsOf(here), fault);
        open.push({ value: inner, above: place, segment: isList ? Number(name) : name });
      }
    }
  }
  return faults;
}

function nameFault(name: string): string | undefined {
  // zod leaves it out of a record without a word: the prototype of an object has that name.
  if (name === '__proto__') return 'has the name __proto__, which nothing can be called';
  const fault = textFault(name);
  return fault === undefined ? undefined : `has a name that ${fault}`;
}

interface Place {
  value: unknown;
  above: Place | undefined;
  segment: string | number;
}

function segmentsOf(place: Place): readonly (string | number)[] {
  const segments: (string | number)[] = [];
  for (let at = place; at.above !== undefined; at = at.above) {
    const { segment } = at;
    segments.unshift(typeof segment === 'string' ? segment.toWellFormed() : segment);
  }
  return segments;
}
