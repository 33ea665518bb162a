import { conditionsAfter, conditionsBefore, isExact, measuredCommit } from './conditions.js';
import type { FigurePart } from './document/figure.js';
import {
  currentFigure,
  isMeasured,
  withFailure,
  withMeasured,
  type FigureStore,
  type Published,
} from './document/store.js';
import { runPart, type Job, type Outcome } from './run-part.js';
import { tell } from './tell.js';

/** Parts side by side: figures of size `quick` mean nothing, so they may disturb each other. */
const AT_ONCE = { full: 1, quick: 3 } as const;

/** How a part was measured last. */
type Ended = Omit<FigurePart, 'name'>;

/** Measures one part after the other. Returns the number of failed parts and broken promises. */
export async function measureAll<J extends Job>(
  jobs: readonly J[],
  onEnd: (job: J, ended: Ended) => Promise<void> | void,
): Promise<number> {
  const queue = jobs.values();
  let failures = 0;
  const work = async (): Promise<void> => {
    for (const job of queue) {
      const { outcome, ended } = await measureJob(job);
      failures += failuresIn(job, outcome);
      await onEnd(job, ended);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE[jobs[0]?.size ?? 'full'] }, work));
  return failures;
}

/** Measures parts for a page of figures, and writes each result at once. */
export async function publish(
  jobs: readonly Job<Published>[],
  { store, all }: { store: FigureStore; all: readonly Published[] },
): Promise<number> {
  const render = () => store.render(all.map((each) => currentFigure(each, store.read(each.id))));
  const failures = await measureAll(jobs, async ({ bench, part }, { failed, measured }) => {
    // Read now: another part of the figure may have ended meanwhile.
    const figure = currentFigure(bench, store.read(bench.id));
    if (failed) await store.write(withFailure(figure, part, failed));
    if (measured) await store.write(withMeasured(figure, part, measured));
    await render();
  });
  await render();
  return failures;
}

/** Whether the store has this part, measured on this commit. */
export function isKnown({ bench, part }: Job<Published>, store: FigureStore): boolean {
  const commit = measuredCommit();
  const figure = currentFigure(bench, store.read(bench.id));
  const known = isExact(commit) && isMeasured(figure, part, { commit, node: process.version });
  if (known) tell(`${bench.id}, ${part}: measured on ${commit} already`);
  return known;
}

async function measureJob(job: Job): Promise<{ outcome: Outcome; ended: Ended }> {
  const commit = measuredCommit();
  const before = conditionsBefore();
  const name = `${job.bench.id}, ${job.part}`;
  tell(`${name}: begins, load ${before.loadBefore.toFixed(1)}`);
  const outcome = await runPart(job);
  const conditions = conditionsAfter(before, commit);
  const { date, seconds } = conditions;
  tell(`${name}: ${'reason' in outcome ? `FAILED: ${outcome.reason}` : `${seconds} s`}`);
  const ended =
    'reason' in outcome
      ? { failed: { date, commit, reason: outcome.reason } }
      : { measured: { ...outcome.measured, conditions } };
  return { outcome, ended };
}

/** A figure of size `quick` keeps no promise. */
function failuresIn({ bench, part, size }: Job, outcome: Outcome): number {
  if ('reason' in outcome) return 1;
  const checks = size === 'full' ? (outcome.measured.checks ?? []) : [];
  const broken = checks.filter(({ kept }) => !kept);
  for (const { promise } of broken) tell(`${bench.id}, ${part}: BROKEN: ${promise}`);
  return broken.length;
}
