import type { FigureStore } from '../document/figure-store.js';
import type { Figure } from '../document/figure.js';
import type { FigureDefinition, Size } from '../definition.js';
import { conditionsAfter, conditionsBefore, isExact, measuredCommit } from './conditions.js';
import { runPart, type Job } from './run-part.js';
import { currentFigure, isMeasured, withFailure, withMeasured } from './update-figure.js';

export interface MeasureOptions {
  store: FigureStore;
  /** All figures of the page, also those that are not measured now. */
  all: readonly FigureDefinition[];
  size: Size;
  /** Measures also what was measured on this commit. */
  again: boolean;
  /** Name of the Temporal server, for the figures per server. */
  server: string;
  /** Only this part of each figure. */
  part?: string | undefined;
}

/** Parts side by side: figures of size `quick` mean nothing, so they may disturb each other. */
const AT_ONCE = { full: 1, quick: 3 } as const;

/** Measures the figures and writes each result at once. Returns the number of failed parts and broken promises. */
export async function measureFigures(
  chosen: readonly FigureDefinition[],
  options: MeasureOptions,
): Promise<number> {
  const { store, all, size } = options;
  const jobs = chosen.flatMap((definition) => jobsOf(definition, options)).values();
  let failures = 0;
  const work = async (): Promise<void> => {
    for (const job of jobs) {
      failures += await measureJob(job, store);
      await store.render(all.map((each) => currentFigure(each, store.read(each.id))));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE[size] }, work));
  await store.render(all.map((each) => currentFigure(each, store.read(each.id))));
  return failures;
}

function jobsOf(
  definition: FigureDefinition,
  { store, size, again, server, part: only }: MeasureOptions,
): Job[] {
  const figure = currentFigure(definition, store.read(definition.id));
  const commit = measuredCommit();
  const all = definition.parts === 'per server' ? [server] : definition.parts;
  const wanted = only === undefined ? all : all.filter((part) => part === only);
  const names = size === 'quick' ? wanted.slice(0, 1) : wanted;
  return names.flatMap((part) => {
    const isKnown = isExact(commit) && isMeasured(figure, part, { commit, node: process.version });
    if (isKnown && !again) {
      tell(`${definition.id}, ${part}: measured on ${commit} already`);
      return [];
    }
    return [{ definition, part, size }];
  });
}

/** @returns the number of failures */
async function measureJob(job: Job, store: FigureStore): Promise<number> {
  const { definition, part, size } = job;
  const commit = measuredCommit();
  const before = conditionsBefore();
  tell(`${definition.id}, ${part}: begins, load ${before.loadBefore.toFixed(1)}`);
  const outcome = await runPart(job);
  const conditions = conditionsAfter(before, commit);
  // Read now: another part of the figure may have ended meanwhile.
  const figure = currentFigure(definition, store.read(definition.id));
  await store.write(updated(figure, { part, outcome, conditions }));
  const broken =
    'measured' in outcome && size === 'full'
      ? (outcome.measured.checks ?? []).filter(({ kept }) => !kept)
      : [];
  const end = 'reason' in outcome ? `FAILED: ${outcome.reason}` : `${conditions.seconds} s`;
  tell(`${definition.id}, ${part}: ${end}`);
  for (const { promise } of broken) tell(`${definition.id}, ${part}: BROKEN: ${promise}`);
  return broken.length + ('reason' in outcome ? 1 : 0);
}

interface Result {
  part: string;
  outcome: Awaited<ReturnType<typeof runPart>>;
  conditions: ReturnType<typeof conditionsAfter>;
}

function updated(figure: Figure, { part, outcome, conditions }: Result): Figure {
  const { date, commit } = conditions;
  if ('reason' in outcome)
    return withFailure(figure, part, { date, commit, reason: outcome.reason });
  return withMeasured(figure, part, { measured: outcome.measured, conditions });
}

function tell(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}
