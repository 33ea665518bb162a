import { readFileSync } from 'node:fs';

import { decodeText } from '../engine/core/decode-text.js';
import type { Fault } from '../engine/core/failures.js';
import { formatJsonFault, parseJson } from '../contract/parse-json.js';
import { toPath } from '../engine/core/faults.js';
import { errorCode } from './error-code.js';

export type ReadJson = { ok: true; json: unknown; text: string } | { ok: false; faults: Fault[] };

/**
 * Reads a file of settings. A name that one object has twice is a fault: `JSON.parse` would leave the first one
 * out without a word. No fault shows a value.
 */
export function readJson(path: string): ReadJson {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return refused(`cannot be read (${errorCode(error)})`);
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) return refused(decoded.fault);
  const { text } = decoded;
  const json = parseJson(text);
  if (json.ok) return { ok: true, json: json.value, text };
  const { path: segments, message } = json.fault;
  if (!json.isJson) return refused(formatJsonFault(json));
  return { ok: false, faults: [{ path: segments.length === 0 ? '' : toPath(segments), message }] };
}

function refused(message: string): ReadJson {
  return { ok: false, faults: [{ path: '', message }] };
}

/** `NAME: path: message`, or without a path where the fault is about the whole file. */
export function formatFault(variable: string, { path, message }: Fault): string {
  return path === '' ? `${variable}: ${message}` : `${variable}: ${path}: ${message}`;
}
