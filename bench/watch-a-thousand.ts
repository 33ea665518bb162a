/**
 * `npm run bench:waiting -- [--runs 1000] [--task-seconds 45] [--workers 1,2,4,8]`: many runs in one worker.
 * Each waits for a task of `--task-seconds` to twice that time. Prints requests and events per run,
 * requests per second while all wait, memory per run, and how late the runs notice the ends. For 5,000
 * runs use tasks of 300 s: no task should end before all runs have begun. With `--workers 1,2,4,8` it measures
 * with so many worker processes of one account, one number after the other, and prints two tables in Markdown: how they
 * watch these runs, and what `--budget-runs` (200) send with the default request budget.
 */
import { parseArgs } from 'node:util';

import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { measureWaiting } from './measure-waiting.js';
import {
  BUDGET_COLUMNS,
  measureBudget,
  measureWatching,
  tableHead,
  WATCHING_COLUMNS,
} from './measure-workers.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    'task-seconds': { type: 'string', default: '45' },
    workers: { type: 'string' },
    'budget-runs': { type: 'string', default: '200' },
  },
});
const runs = Number(values.runs);
const taskSeconds = Number(values['task-seconds']);
/** The tasks of the runs that keep to the budget. */
const BUDGET_TASK_SECONDS = 30;
/** At speed 1 the simulated create takes 15 to 30 s. */
const speed = 15 / taskSeconds;

async function measure(scenario: Scenario): Promise<void> {
  const figures = await measureWaiting(scenario, { runs, watchedMs: 5_000 });
  const [p50, p95] = [50, 95].map((percent) => percentile(figures.noticed, percent).toFixed(2));
  process.stdout.write(
    [
      `${runs} runs started in ${figures.startSeconds.toFixed(1)} s`,
      `tasks that still run when the last is created: ${figures.open}`,
      `requests per second at that time: ${figures.requestsPerSecond.toFixed(2)}`,
      `resident memory per run: ${figures.kibPerRun.toFixed(0)} KiB (with simulator and client)`,
      `requests per run: ${figures.requestsPerRun.toFixed(2)}`,
      ...[...figures.requests].map(([kind, count]) => `  ${kind}: ${count}`),
      `events of one run: ${figures.events}`,
      `end noticed after: p50 ${p50} s, p95 ${p95} s`,
      '',
    ].join('\n'),
  );
}

if (values.workers === undefined) {
  await withTemporal({}, () => inScenario({ speed, realPolls: true, replays: false }, measure));
} else {
  const counts = values.workers.split(',').map(Number);
  const print = (text: string): boolean => process.stdout.write(`${text}\n`);
  print(tableHead(WATCHING_COLUMNS));
  for (const workers of counts) print(await measureWatching({ workers, runs, taskSeconds }));
  const fewer = { runs: Number(values['budget-runs']), taskSeconds: BUDGET_TASK_SECONDS };
  print(`\n${tableHead(BUDGET_COLUMNS)}`);
  for (const workers of counts) print(await measureBudget({ workers, ...fewer }));
}
