import { existsSync, readFileSync } from 'node:fs';

import { parseKeyRing, toJson, type KeyRingJson } from '../../../codec/key-ring.js';
import { ConfigurationError } from '../../../config.js';
import { decodeText } from '../../../engine/core/decode-text.js';
import { replaceFile } from '../../../files/replace-file.js';

/** The ring in a file; `undefined` when there is no such file. */
export function readRing(file: string): KeyRingJson | undefined {
  if (!existsSync(file)) return undefined;
  const decoded = decodeText(readFileSync(file));
  if (!decoded.ok) throw new ConfigurationError([`${file}: ${decoded.fault}`]);
  return parseRing(file, decoded.text);
}

/** Writes no ring that a program would refuse. */
export function writeRing(file: string, ring: KeyRingJson): void {
  const text = JSON.stringify(ring, null, 2);
  parseRing(file, text);
  replaceFile(file, `${text}\n`);
}

function parseRing(file: string, text: string): KeyRingJson {
  const parsed = parseKeyRing(text);
  if (!parsed.ok) throw new ConfigurationError(parsed.faults.map((fault) => `${file}: ${fault}`));
  return toJson(parsed.value);
}
