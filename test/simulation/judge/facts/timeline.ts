import type { SimulatorState } from '../../../../src/simulator/index.js';
import type { Evidence } from '../../world/records.js';

/** The cloud as it is known to have been at a moment. */
export interface KnownState {
  at: number;
  cloud: SimulatorState;
}

/** What is known of the cloud over time. Nothing changes it but calls, and tasks that calls have started. */
export interface Timeline {
  /** In the order of time; the first is from before, the last from after. */
  states: readonly KnownState[];
  /** The last known one at a moment. */
  at(time: number): SimulatorState;
  /** The last known one before a moment. */
  before(time: number): SimulatorState;
  /** All that are known of a time, with the one in which it begins. */
  between(from: number, to: number): readonly SimulatorState[];
  /** The next known one after a moment. */
  after(time: number): SimulatorState;
}

export function createTimeline(evidence: Evidence): Timeline {
  const states = statesOf(evidence);
  const indexAt = (time: number): number => {
    const later = states.findIndex(({ at }) => at > time);
    return Math.max(0, (later === -1 ? states.length : later) - 1);
  };
  return {
    states,
    before: (time) => states.findLast(({ at }) => at < time)?.cloud ?? evidence.before,
    at: (time) => states[indexAt(time)]?.cloud ?? evidence.before,
    between: (from, to) => states.slice(indexAt(from), indexAt(to) + 1).map(({ cloud }) => cloud),
    after: (time) => states.find(({ at }) => at > time)?.cloud ?? evidence.after,
  };
}

function statesOf({ before, after, calls, runs, endedAt }: Evidence): KnownState[] {
  const known: KnownState[] = [
    ...calls.flatMap(({ at, cloudBefore, cloudAfter }) =>
      [cloudBefore, cloudAfter].flatMap((cloud) => (cloud ? [{ at, cloud }] : [])),
    ),
    ...runs.flatMap(({ closedAt, cloudAtEnd: cloud }) =>
      cloud && closedAt !== undefined ? [{ at: closedAt, cloud }] : [],
    ),
  ];
  const sorted = known.sort((a, b) => a.at - b.at);
  return [{ at: -Infinity, cloud: before }, ...sorted, { at: endedAt, cloud: after }];
}
