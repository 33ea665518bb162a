/** A worker for the yardsticks as a process. Its settings come as JSON. */
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { z } from 'zod';

import { createNaiveWorker } from './create-naive-worker.js';

const settingsSchema = z.object({
  address: z.string(),
  taskQueue: z.string(),
  api: z.object({ baseUrl: z.string(), apiKey: z.string() }),
});

const given: unknown = JSON.parse(process.env['NAIVE_WORKER'] ?? '{}');
const { address, ...settings } = settingsSchema.parse(given);
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address });
const worker = await createNaiveWorker({ connection, ...settings });
process.stderr.write('Worker is ready\n');
await worker.run();
