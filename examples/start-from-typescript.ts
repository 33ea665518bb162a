/**
 * Starts an instance from another service and waits for the verified result.
 *
 * Run it against `npm run dev`: `npm run example`.
 */
import { readFileSync } from 'node:fs';

import { connectGcoreWorkflows } from 'gcore-workflows/client';
import { parseInput, operationSchemas } from 'gcore-workflows/contract';

const file: unknown = JSON.parse(readFileSync('examples/provision-instance.json', 'utf8'));
const input = parseInput(operationSchemas.provisionInstance.input, file);
if (!input.ok) throw new Error(JSON.stringify(input.faults));

const gcore = await connectGcoreWorkflows();
const run = await gcore.start('provisionInstance', {
  requestId: process.argv[2] ?? 'order-4711',
  input: input.value,
});
const { instanceId, addresses } = await gcore.result('provisionInstance', run);
process.stdout.write(`${JSON.stringify({ workflowId: run.workflowId, instanceId, addresses })}\n`);
await gcore.close();
