import { readFileSync } from 'node:fs';

import type { Environment } from './environment.js';

/** Variables of other official tools. They work, with a notice. */
const OTHER_KEY_NAMES = ['GCORE_PERMANENT_TOKEN', 'GCORE_APIKEY'];

interface Findings {
  faults: string[];
  notices: string[];
}

/** The API key, from a variable or a file. Adds what is wrong with it to the findings. */
export function readApiKey(environment: Environment, findings: Findings): string | undefined {
  const { GCORE_API_KEY: key, GCORE_API_KEY_FILE: file } = environment;
  if (key !== undefined && file !== undefined) {
    findings.faults.push('GCORE_API_KEY, GCORE_API_KEY_FILE: both are set; set only one');
  }
  if (file !== undefined) return readKeyFile(file, findings);
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
  return checkKey(found, source, findings);
}

function readKeyFile(file: string, findings: Findings): string | undefined {
  try {
    return checkKey(readFileSync(file, 'utf8'), 'GCORE_API_KEY_FILE', findings);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings.faults.push(`GCORE_API_KEY_FILE: cannot be read (${reason})`);
    return undefined;
  }
}

/** Checks the key before the first request: a line break or a space in a header fails every request. */
function checkKey(key: string, source: string, { faults }: Findings): string | undefined {
  const trimmed = key.trim();
  if (/^[\x21\x23-\x26\x28-\x7e]+$/.test(trimmed)) return trimmed;
  faults.push(`${source}: must be an API key: one word without spaces, quotes and line breaks`);
  return undefined;
}
