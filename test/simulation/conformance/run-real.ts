// A process of its own: the simulation replaces the SDK's native part for a whole process.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';

import { readRunOptions } from './run-options.js';
import { runSideBySide } from './run-scripts.js';
import { shareSandboxes } from './share-sandboxes.js';

const { address, atOnce, bundles, file, chosen } = readRunOptions();
Runtime.install({
  logger: new DefaultLogger('ERROR', () => undefined),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
});
shareSandboxes();
const connection = await NativeConnection.connect({ address });
// One server has had many suites.
const suite = randomBytes(3).toString('hex');
const outcomes = await runSideBySide(
  chosen,
  (place) => ({
    ...{ connection, namespace: 'default', bundles },
    prefix: `conformance-${suite}-${place}-`,
  }),
  atOnce,
);
await connection.close();
await writeFile(file, JSON.stringify(outcomes));
