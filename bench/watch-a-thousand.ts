/**
 * `npm run bench:waiting -- [--runs 1000] [--task-seconds 45]`: runs in one worker, each of which waits
 * for a task that takes so long, or up to twice as long. Prints requests and events a run, requests
 * a second while all wait, the memory of a run, and how late the ends were noticed. With 5,000 runs
 * give the tasks 300 s: they are to begin to end when all have begun.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { Simulator } from '../src/simulator/index.js';
import { provisionInput } from '../test/support/provision-input.js';
import { inScenario, type Scenario } from '../test/support/scenario.js';
import { countBy } from './measure-run.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    'task-seconds': { type: 'string', default: '45' },
  },
});
const RUNS = Number(values.runs);
/** The simulated create takes 15 to 30 s in reality. */
const SPEED = 15 / Number(values['task-seconds']);
/** So many starts at a time. */
const STARTS = 200;

async function watchThem({ start, simulator }: Scenario): Promise<void> {
  const before = memoryMiB();
  const startedAt = Date.now();
  const runs: Awaited<ReturnType<typeof start<'provisionInstance'>>>[] = [];
  while (runs.length < RUNS) {
    const more = Array.from({ length: Math.min(STARTS, RUNS - runs.length) }, () =>
      start('provisionInstance', provisionInput()),
    );
    runs.push(...(await Promise.all(more)));
  }
  process.stdout.write(`${RUNS} runs started in ${(Date.now() - startedAt) / 1000} s\n`);
  await watchOpen(simulator, before);
  const noticed: number[] = [];
  const taskEnds = (): Map<string, number> =>
    new Map(simulator.snapshot().tasks.map((task) => [task.id, task.endsAt]));
  await Promise.all(
    runs.map(async (run) => {
      const { taskIds, ledger } = await run.result();
      const ends = taskEnds();
      const lastEnd = Math.max(...taskIds.map((id) => ends.get(id) ?? Number.NaN));
      noticed.push((Date.parse(ledger[0]?.endedAt ?? '') - lastEnd) / 1000);
    }),
  );
  const { events = [] } = (await runs[0]?.fetchHistory()) ?? {};
  const byKind = countBy(
    simulator.requests,
    ({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`,
  );
  process.stdout.write(
    [
      `requests a run: ${(simulator.requests.length / RUNS).toFixed(2)}`,
      ...[...byKind].map(([kind, count]) => `  ${kind}: ${count}`),
      `events of one run: ${events?.length ?? 0}`,
      `end noticed after: p50 ${percentile(noticed, 50).toFixed(2)} s, p95 ${percentile(noticed, 95).toFixed(2)} s`,
      `resident memory of this process: ${memoryMiB()} MiB`,
      '',
    ].join('\n'),
  );
}

/** Once all have sent their create call: what so many open runs cost while nothing happens. */
async function watchOpen(simulator: Simulator, before: number): Promise<void> {
  const { requests } = simulator;
  const created = (): number => requests.filter(({ method }) => method === 'POST').length;
  while (created() < RUNS) await delay(100);
  const open = simulator.snapshot().tasks.filter(({ endsAt }) => endsAt > Date.now()).length;
  const [from, count] = [Date.now(), requests.length];
  await delay(5_000);
  const seconds = (Date.now() - from) / 1000;
  const perSecond = (requests.length - count) / seconds;
  process.stdout.write(
    [
      `tasks that still run when all are created: ${open}`,
      `requests a second then: ${perSecond.toFixed(2)}`,
      `resident memory a run: ${(((memoryMiB() - before) * 1024) / RUNS).toFixed(0)} KiB (simulator and client included)`,
      '',
    ].join('\n'),
  );
}

function memoryMiB(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}

await withTemporal({}, () =>
  inScenario({ speed: SPEED, realPolls: true, replays: false }, watchThem),
);
