import type { Strike } from './chaos.js';
import type { Finding } from './records.js';
import { runSeed, type SeedOutcome } from './run-seed.js';
import { shrink } from './shrink.js';
import type { Focus } from './swarm.js';

/** What a range of seeds has shown. */
export interface SearchResult {
  seeds: number;
  runs: number;
  calls: number;
  events: number;
  virtualSeconds: number;
  coverage: Set<string>;
  /** How many states were known after so many seeds. */
  growth: { seeds: number; states: number }[];
  bad: BadSeed[];
}

export interface BadSeed {
  seed: number;
  /** As the focus had it. */
  planOf?: number | undefined;
  findings: readonly Finding[];
  strikes: readonly Strike[];
}

export function emptyResult(): SearchResult {
  const counts = { seeds: 0, runs: 0, calls: 0, events: 0, virtualSeconds: 0 };
  return { ...counts, coverage: new Set(), growth: [], bad: [] };
}

/** Prefers what leads to states that were not seen before: new plans, or those once more that have shown something new. */
export interface Guide {
  /** Of the next seed. */
  focusOf(): Focus;
  /** @param news how many states were new */
  learn(seed: number, focus: Focus, news: number): void;
}

const MOST_PLANS = 200;
/** The worse way is tried too, every so many seeds: what is better changes. */
const TRIED_EVERY = 4;
const FORGETS = 0.05;

export function createGuide(focus: Focus): Guide {
  let plans: { planOf: number; news: number }[] = [];
  let turn = 0;
  /** States that were new, in the average of the last seeds. */
  const yields = { fresh: 0, again: 0 };
  return {
    focusOf() {
      turn += 1;
      const isAgain = yields.again > yields.fresh !== (turn % TRIED_EVERY === 0);
      const best = isAgain ? plans.shift() : undefined;
      return best === undefined ? focus : { ...focus, planOf: best.planOf };
    },
    learn(seed, { planOf }, news) {
      const way = planOf === undefined ? 'fresh' : 'again';
      yields[way] += FORGETS * (news - yields[way]);
      if (news === 0) return;
      plans = [...plans, { planOf: planOf ?? seed, news }]
        .sort((one, other) => other.news - one.news)
        .slice(0, MOST_PLANS);
    },
  };
}

/** Adds what one seed has shown. A simulation that breaks is a finding too. */
export async function trySeed(
  result: SearchResult,
  seed: number,
  focus: Focus,
): Promise<BadSeed | undefined> {
  const outcome = await outcomeOf(seed, focus);
  result.seeds += 1;
  result.runs += outcome.counts.runs;
  result.calls += outcome.counts.calls;
  result.events += outcome.counts.events;
  result.virtualSeconds += outcome.counts.virtualSeconds;
  for (const state of outcome.coverage) result.coverage.add(state);
  if (outcome.findings.length === 0) return undefined;
  const { planOf } = focus;
  const bad = { seed, planOf, findings: outcome.findings, strikes: outcome.strikes };
  result.bad.push(bad);
  return bad;
}

async function outcomeOf(seed: number, focus: Focus): Promise<SeedOutcome> {
  try {
    return await runSeed({ seed, focus });
  } catch (error) {
    const says = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const broke = { invariant: 'the simulation broke', workflowId: undefined, says };
    return { ...NOTHING, seed, findings: [broke] };
  }
}

/** The story of a seed with the fewest strikes that still break the same invariant. */
export async function shrunkStory(
  { seed, findings, strikes }: BadSeed,
  focus: Focus,
): Promise<SeedOutcome> {
  const invariants = new Set(findings.map(({ invariant }) => invariant));
  const isSame = ({ findings: found }: SeedOutcome): boolean =>
    found.some(({ invariant }) => invariants.has(invariant));
  const only = await shrink(strikes, async (some) =>
    isSame(await runSeed({ seed, focus, only: some }).catch(() => NOTHING)),
  );
  return runSeed({ seed, focus, only, tells: true });
}

/** Of a simulation that has not come to its end. */
const NOTHING: SeedOutcome = {
  seed: 0,
  findings: [],
  strikes: [],
  story: [],
  coverage: new Set(),
  requests: [],
  counts: { runs: 0, calls: 0, events: 0, virtualSeconds: 0 },
};
