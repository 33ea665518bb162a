import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

import { Held, SearchAttribute } from '../contract/wire/names.js';
import { Phase } from '../engine/core/status.js';
import { InvalidInputError } from './errors.js';
import { askWithFilter } from './list-runs.js';
import { CLOSED_AS, LISTED_PHASES, type RunFilter } from './run-filter.js';

type CountedPhase = (typeof LISTED_PHASES)[number];

export interface PhaseCount {
  phase: CountedPhase;
  count: number;
}

/** Phases by what Temporal calls their state in a count. */
const PHASE_OF: ReadonlyMap<string, CountedPhase> = new Map([
  ['Running', Phase.running],
  // Temporal itself has paused it. What the run has recorded of its phase still holds.
  ['Paused', Phase.running],
  ...LISTED_PHASES.flatMap((phase): [string, CountedPhase][] => {
    const state = CLOSED_AS[phase];
    return state === undefined ? [] : [[state, phase]];
  }),
]);

/** Phases that only the search attribute tells from `running`. */
const RECORDED = [
  ...[Phase.blocked, Phase.paused, Phase.rollingBack],
  ...[Held.protected, Held.notProtected],
] as const;

/**
 * How many runs of a filter are in each phase. The server counts; without its search attributes every open run is
 * `running`. @throws InvalidInputError
 */
export async function countRuns(client: Client, given: RunFilter): Promise<PhaseCount[]> {
  const filter = withKnownAccount(given);
  const [states, ...recorded] = await Promise.all([
    countStates(client, filter),
    ...RECORDED.map((phase) => countPhase(client, { ...filter, phase })),
  ]);
  const counts = new Map<CountedPhase, number>();
  for (const [phase, runs] of states) counts.set(phase, (counts.get(phase) ?? 0) + runs);
  RECORDED.forEach((phase, at) => {
    const count = recorded[at] ?? 0;
    counts.set(phase, count);
    counts.set(Phase.running, Math.max(0, (counts.get(Phase.running) ?? 0) - count));
  });
  return LISTED_PHASES.map((phase) => ({ phase, count: counts.get(phase) ?? 0 })).filter(
    ({ count }) => count > 0,
  );
}

/**
 * A list sorts out by its id a run that has recorded no account. A count cannot, so it leaves such runs out: else it
 * would tell of runs of other accounts.
 */
function withKnownAccount(filter: RunFilter): RunFilter {
  const { account, query } = filter;
  if (account === undefined) return filter;
  const isKnown = `${SearchAttribute.account} IS NOT NULL`;
  return { ...filter, query: query === undefined ? isKnown : `(${query}) AND ${isKnown}` };
}

async function countStates(client: Client, filter: RunFilter): Promise<[CountedPhase, number][]> {
  const { groups } = await count(client, filter, ' GROUP BY ExecutionStatus');
  return groups.flatMap(({ groupValues, count: number }) => {
    const [payload] = groupValues ?? [];
    const state: unknown = payload && defaultPayloadConverter.fromPayload(payload);
    const phase = typeof state === 'string' ? PHASE_OF.get(state) : undefined;
    return phase === undefined ? [] : [[phase, Number(number)]];
  });
}

async function countPhase(client: Client, filter: RunFilter): Promise<number> {
  try {
    return Number((await count(client, filter)).count);
  } catch (error) {
    // The namespace has no search attributes.
    if (error instanceof InvalidInputError) return 0;
    throw error;
  }
}

function count({ workflowService, options }: Client, filter: RunFilter, suffix = '') {
  return askWithFilter(filter, (query) =>
    workflowService.countWorkflowExecutions({
      namespace: options.namespace,
      query: `${query}${suffix}`,
    }),
  );
}
