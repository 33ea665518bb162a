import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod';

export const HISTORIES = resolve('test/replay/histories');

/** Runs in another process, because the conversion refuses the module instances that jest makes. */
const TO_JSON = `
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
const [address, workflowId] = process.argv.slice(-2);
const connection = await Connection.connect({ address });
const run = new Client({ connection }).workflow.getHandle(workflowId);
process.stdout.write(historyToJSON(await run.fetchHistory()));
await connection.close();
`;

/**
 * Stores the history of a run for the replay tests if RECORD_HISTORIES is its name, or `all`
 * (`npm run record:histories`). Leaves out worker identities and stack traces: they name a process and a
 * machine, and no decision depends on them.
 */
export function recordHistory(name: string, workflowId: string): void {
  const { RECORD_HISTORIES, TEMPORAL_ADDRESS } = process.env;
  const isAsked = RECORD_HISTORIES === name || RECORD_HISTORIES === 'all';
  if (!isAsked || TEMPORAL_ADDRESS === undefined) return;
  const args = ['--input-type=module', '-e', TO_JSON, '--', TEMPORAL_ADDRESS, workflowId];
  const history = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const anonymous = history
    .replaceAll(/"\d+@[^"]*"/g, '"worker"')
    .replaceAll(/"stackTrace":\s*"(?:[^"\\]|\\.)*"/g, '"stackTrace": ""');
  writeFileSync(`${HISTORIES}/${name}.json`, inLines(anonymous));
}

const historySchema = z.object({ events: z.array(z.unknown()) });

/** A line for each event: a person reads in a diff what has come and gone. */
function inLines(history: string): string {
  const { events } = historySchema.parse(JSON.parse(history));
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}
