import { readFileSync } from 'node:fs';

import { decodeText } from '../engine/core/decode-text.js';
import type { Environment } from './environment.js';

/** Variables of other official tools. They work, with a notice. */
const OTHER_KEY_NAMES = ['GCORE_PERMANENT_TOKEN', 'GCORE_APIKEY'];

const NO_KEY = 'must be an API key: one word without spaces, quotes and line breaks';

interface Findings {
  faults: string[];
  notices: string[];
}

/** An API key, and where it comes from. */
export interface FoundKey {
  apiKey: string;
  /** The file that holds it; its content may be replaced while the worker runs. */
  keyFile?: string;
  /** The variable that holds it. */
  keyVariable?: string;
}

/** The API key, from a variable or a file. Adds what is wrong with it to the findings. */
export function readApiKey(environment: Environment, findings: Findings): FoundKey | undefined {
  const { GCORE_API_KEY: key, GCORE_API_KEY_FILE: file } = environment;
  if (key !== undefined && file !== undefined) {
    findings.faults.push('GCORE_API_KEY, GCORE_API_KEY_FILE: both are set; set only one');
  }
  if (file !== undefined) {
    const apiKey = orFault(readKeyFile(file), 'GCORE_API_KEY_FILE', findings);
    return apiKey === undefined ? undefined : { apiKey, keyFile: file };
  }
  const source = ['GCORE_API_KEY', ...OTHER_KEY_NAMES].find((name) => environment[name]);
  const found = source === undefined ? undefined : environment[source];
  if (source === undefined || found === undefined) {
    findings.faults.push(
      'GCORE_API_KEY: is missing; set it, or set GCORE_API_KEY_FILE to a file with the key',
    );
    return undefined;
  }
  if (source !== 'GCORE_API_KEY') {
    findings.notices.push(`The API key comes from ${source}. Better set GCORE_API_KEY.`);
  }
  const apiKey = orFault(toKey(found), source, findings);
  return apiKey === undefined ? undefined : { apiKey, keyVariable: source };
}

function orFault(read: ReadKey, source: string, { faults }: Findings): string | undefined {
  if ('key' in read) return read.key;
  faults.push(`${source}: ${read.fault}`);
  return undefined;
}

export type ReadKey = { key: string } | { fault: string };

export function readKeyFile(file: string): ReadKey {
  try {
    const decoded = decodeText(readFileSync(file));
    return decoded.ok ? toKey(decoded.text) : { fault: decoded.fault };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: `cannot be read (${reason})` };
  }
}

/** Checks the key before the first request: a line break or a space in a header fails every request. */
export function toKey(text: string): ReadKey {
  const key = text.trim();
  return /^[\x21\x23-\x26\x28-\x7e]+$/.test(key) ? { key } : { fault: NO_KEY };
}
