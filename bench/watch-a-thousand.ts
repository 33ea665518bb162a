/**
 * `npm run bench:waiting -- [--runs 1000] [--task-seconds 45]`: runs in one worker, each of which waits
 * for a task that takes so long, or up to twice as long. Prints requests and events a run, requests
 * a second while all wait, the memory of a run, and how late the ends were noticed. With 5,000 runs
 * give the tasks 300 s: they are to begin to end when all have begun.
 */
import { parseArgs } from 'node:util';

import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { measureWaiting } from './measure-waiting.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    'task-seconds': { type: 'string', default: '45' },
  },
});
const runs = Number(values.runs);
/** The simulated create takes 15 to 30 s in reality. */
const speed = 15 / Number(values['task-seconds']);

async function watchThem(scenario: Scenario): Promise<void> {
  const figures = await measureWaiting(scenario, { runs, watchedMs: 5_000 });
  const [p50, p95] = [50, 95].map((percent) => percentile(figures.noticed, percent).toFixed(2));
  process.stdout.write(
    [
      `${runs} runs started in ${figures.startSeconds.toFixed(1)} s`,
      `tasks that still run when all are created: ${figures.open}`,
      `requests a second then: ${figures.requestsPerSecond.toFixed(2)}`,
      `resident memory a run: ${figures.kibPerRun.toFixed(0)} KiB (simulator and client included)`,
      `requests a run: ${figures.requestsPerRun.toFixed(2)}`,
      ...[...figures.requests].map(([kind, count]) => `  ${kind}: ${count}`),
      `events of one run: ${figures.events}`,
      `end noticed after: p50 ${p50} s, p95 ${p95} s`,
      '',
    ].join('\n'),
  );
}

await withTemporal({}, () => inScenario({ speed, realPolls: true, replays: false }, watchThem));
