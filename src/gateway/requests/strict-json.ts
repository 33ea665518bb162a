import { visit } from 'jsonc-parser';

import type { ProblemFault } from '../problems/problem.js';

export type StrictJson = { ok: true; value: unknown } | { ok: false; fault: ProblemFault };

/** Far more than any input has. The client refuses the same depth. */
const MAX_DEPTH = 100;

/**
 * JSON of which every reader understands the same: no name twice in one object, no comments, and not so
 * deep that a parser runs out of stack. The fault never quotes the text.
 */
export function parseStrictJson(text: string): StrictJson {
  if (isDeeperThan(text, MAX_DEPTH)) {
    return refuse(`is nested more than ${MAX_DEPTH} levels deep`);
  }
  const fault = findFault(text);
  if (fault !== undefined) return { ok: false, fault };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return refuse('is not JSON');
  }
}

function refuse(message: string): StrictJson {
  return { ok: false, fault: { pointer: '', message } };
}

/** Counts brackets outside of texts, in one pass without recursion. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (inText) {
      if (mark === '\\') at += 1;
      else if (mark === '"') inText = false;
    } else if (mark === '"') inText = true;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

function findFault(text: string): ProblemFault | undefined {
  const faults: ProblemFault[] = [];
  const names: Set<string>[] = [];
  visit(
    text,
    {
      /* eslint-disable max-params -- the library calls them so */
      onObjectBegin: () => void names.push(new Set()),
      onObjectEnd: () => void names.pop(),
      onObjectProperty(name, _offset, _length, _line, _column, parents) {
        const seen = names.at(-1);
        if (seen?.has(name) === true) {
          faults.push({ pointer: pointerOf([...parents(), name]), message: 'is there twice' });
        }
        seen?.add(name);
      },
      onError(_error, _offset, _length, line, column) {
        faults.push({
          pointer: '',
          message: `is not JSON: line ${line + 1}, column ${column + 1}`,
        });
      },
      /* eslint-enable max-params */
    },
    { disallowComments: true },
  );
  return faults[0];
}

function pointerOf(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
