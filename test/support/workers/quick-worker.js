// JavaScript, because it runs as a separate process, from the build.
import { DEFAULT_POLL_POLICY } from '../../../dist/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../dist/engine/core/run-policy.js';
import { runWorker } from '../../../dist/worker/run-worker.js';

/** The whole worker, as `npm start` runs it, but it looks at tasks fifty times as often. */
await runWorker({ poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 50) });
