/**
 * `npm run bench:waiting`: a thousand runs in one worker, each waiting 45 to 90 s for its task.
 * Prints requests and events a run, and how late the ends were noticed.
 */
import { provisionInput } from '../test/support/provision-input.js';
import { inScenario, type Scenario } from '../test/support/scenario.js';
import { countBy } from './measure-run.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const RUNS = Number(process.argv[2] ?? 1_000);
/** The simulated create takes 15 to 30 s in reality: slowed down to 45 to 90 s. */
const SPEED = 1 / 3;

async function watchThem({ start, simulator }: Scenario): Promise<void> {
  const startedAt = Date.now();
  const runs = await Promise.all(
    Array.from({ length: RUNS }, () => start('provisionInstance', provisionInput())),
  );
  process.stdout.write(`${RUNS} runs started in ${(Date.now() - startedAt) / 1000} s\n`);
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
      `resident memory of this process: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
      '',
    ].join('\n'),
  );
}

await withTemporal({}, () =>
  inScenario({ speed: SPEED, realPolls: true, replays: false }, watchThem),
);
