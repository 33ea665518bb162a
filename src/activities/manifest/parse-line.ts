import type { z } from 'zod';

import { decodeText } from '../../engine/core/decode-text.js';
import type { Fault } from '../../engine/core/failures.js';
import { parseJson } from '../../contract/json/parse-json.js';
import { toPath } from '../../engine/core/fault-path.js';
import { parseInput, type ParsedInput } from '../../engine/schema/parse-input.js';
import type { Line } from './split-lines.js';

/** One item, or its faults by line and path: `line 7, origin_url`. A fault repeats no value. */
export function parseLine<T>(schema: z.ZodType<T>, { number, bytes }: Line): ParsedInput<T> {
  const at = `line ${number}`;
  const json = parseJsonLine(bytes);
  if (!json.ok) return { ok: false, faults: [{ path: `${at}${json.path}`, message: json.fault }] };
  const parsed = parseInput(schema, json.value);
  if (parsed.ok) return parsed;
  const faults = parsed.faults.map(({ path, message }): Fault => ({
    path: path === '(input)' ? at : `${at}, ${path}`,
    message,
  }));
  return { ok: false, faults };
}

function parseJsonLine(
  bytes: Uint8Array,
): { ok: true; value: unknown } | { ok: false; path: string; fault: string } {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { ok: false, path: '', fault: decoded.fault };
  if (decoded.text.trim() === '') return { ok: false, path: '', fault: 'is empty: remove it' };
  const json = parseJson(decoded.text);
  if (json.ok) return json;
  if (!json.isJson) {
    return { ok: false, path: '', fault: 'is not JSON: each line must be one whole object' };
  }
  const { path, message } = json.fault;
  return { ok: false, path: path.length === 0 ? '' : `, ${toPath(path)}`, fault: message };
}
