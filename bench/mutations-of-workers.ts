import type { Mutation } from './mutation.js';

/** Each breaks a rule of the process around the runs. */
export const MUTATIONS_OF_WORKERS: readonly Mutation[] = [
  {
    name: 'every process of an account watches',
    file: 'src/worker/election.ts',
    line: 'known < WATCHERS;',
    broken: 'known < WATCHERS * 1e9;',
    tests: 'worker/election',
  },
  {
    name: 'npm start leaves its worker behind when it ends',
    file: 'package.json',
    line: '"start": "exec node',
    broken: '"start": "node',
    tests: 'worker/main',
  },
  {
    name: 'a worker that has lost its Temporal server says that the server answers',
    file: 'src/worker/health/worker-health.ts',
    line: 'return { name, ok: ms < NO_ANSWER_MS, text };',
    broken: 'return { name, ok: ms < NO_ANSWER_MS * 1e9, text };',
    tests: 'worker/health/readiness',
  },
  {
    name: 'a run is not in the trace of its caller',
    file: 'src/observe/tracing/client-spans.ts',
    line: 'startWithDetails: (input, next) => spans.startWithDetails(input, next),',
    broken: 'startWithDetails: (input, next) => next(input),',
    tests: 'observe/tracing/one-trace',
  },
  {
    name: 'a count of runs is missing until the first run has ended',
    file: 'src/worker/run-worker.ts',
    line: 'beginCounters(ports.runtime.metricMeter, namespace);',
    broken: "if (namespace === '') beginCounters(ports.runtime.metricMeter, namespace);",
    tests: 'cli/commands/dev.server',
  },
];
