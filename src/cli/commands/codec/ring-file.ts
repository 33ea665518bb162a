import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

import { parseKeyRing, toJson, type KeyRingJson } from '../../../codec/key-ring.js';
import { ConfigurationError } from '../../../config.js';
import { decodeText } from '../../../contract/decode-text.js';

const ONLY_OWNER = 0o600;

/** The ring in a file; `undefined` when there is no such file. */
export function readRing(file: string): KeyRingJson | undefined {
  if (!existsSync(file)) return undefined;
  const decoded = decodeText(readFileSync(file));
  if (!decoded.ok) throw new ConfigurationError([`${file}: ${decoded.fault}`]);
  const parsed = parseKeyRing(decoded.text);
  if (!parsed.ok) throw new ConfigurationError(parsed.faults.map((fault) => `${file}: ${fault}`));
  return toJson(parsed.value);
}

/** Writes a new file and then renames it: a worker that reads meanwhile sees the old ring or the new one. */
export function writeRing(file: string, ring: KeyRingJson): void {
  const isThere = existsSync(file);
  const path = isThere ? realpathSync(file) : file;
  const mode = isThere ? statSync(path).mode : ONLY_OWNER;
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(ring, null, 2)}\n`, { mode });
  renameSync(`${path}.new`, path);
}
