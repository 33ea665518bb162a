import { readFileSync } from 'node:fs';

import { parseKeyRing } from '../codec/key-ring.js';
import type { CodecKeys } from '../codec/open-codec.js';
import { decodeText } from '../engine/core/decode-text.js';
import type { Environment } from './environment.js';

/** Where the keys of the payload codec are; `undefined` when payloads stay in clear. Adds what is wrong to the faults. */
export function readCodecKeys(environment: Environment, faults: string[]): CodecKeys | undefined {
  const { GCORE_CODEC_KEYS: text, GCORE_CODEC_KEYS_FILE: file } = environment;
  if (text !== undefined && file !== undefined) {
    faults.push('GCORE_CODEC_KEYS, GCORE_CODEC_KEYS_FILE: both are set; set only one');
  }
  if (file !== undefined) return readFile(file, faults);
  if (text === undefined) return undefined;
  return isSound(text, 'GCORE_CODEC_KEYS', faults) ? { text } : undefined;
}

function readFile(file: string, faults: string[]): CodecKeys | undefined {
  try {
    const decoded = decodeText(readFileSync(file));
    if (!decoded.ok) faults.push(`GCORE_CODEC_KEYS_FILE: ${decoded.fault}`);
    const isUsable = decoded.ok && isSound(decoded.text, 'GCORE_CODEC_KEYS_FILE', faults);
    return isUsable ? { file } : undefined;
  } catch (error) {
    const code = String(Reflect.get(Object(error), 'code'));
    faults.push(`GCORE_CODEC_KEYS_FILE: cannot be read (${code})`);
    return undefined;
  }
}

function isSound(text: string, source: string, faults: string[]): boolean {
  const parsed = parseKeyRing(text);
  if (!parsed.ok) faults.push(...parsed.faults.map((fault) => `${source}: ${fault}`));
  return parsed.ok;
}
