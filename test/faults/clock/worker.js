// A worker for one bundle, in its own process. A test kills it with `kill -9`, like a crash.
import { NativeConnection, Worker } from '@temporalio/worker';

const [address, taskQueue, codePath] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({ connection, taskQueue, workflowBundle: { codePath } });
process.stdout.write('ready\n');
await worker.run();
