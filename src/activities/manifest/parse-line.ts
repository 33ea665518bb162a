import type { z } from 'zod';

import type { Fault } from '../../contract/failures.js';
import { parseInput, type ParsedInput } from '../../contract/parse-input.js';
import type { Line } from './split-lines.js';

/** One item, or its faults by line and path: `line 7, origin_url`. A fault repeats no value. */
export function parseLine<T>(schema: z.ZodType<T>, { number, bytes }: Line): ParsedInput<T> {
  const at = `line ${number}`;
  const json = parseJson(bytes);
  if (!json.ok) return { ok: false, faults: [{ path: at, message: json.fault }] };
  const parsed = parseInput(schema, json.value);
  if (parsed.ok) return parsed;
  const faults = parsed.faults.map(({ path, message }): Fault => ({
    path: path === '(input)' ? at : `${at}, ${path}`,
    message,
  }));
  return { ok: false, faults };
}

/** Also removes the byte order mark that some editors put before the first line. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false; fault: string } {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return { ok: false, fault: 'is not UTF-8' };
  }
  if (text.trim() === '') return { ok: false, fault: 'is empty: remove it' };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false, fault: 'is not JSON: each line must be one whole object' };
  }
}
