import { isUrgent, Urgency } from '../core/names.js';

/** In the order in which they are served. `watch`: the few calls that look for all runs at once. */
export const LANES = ['urgent', 'normal', 'watch', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

/** The lane of a call with Temporal's priority key. */
export function laneOf(priorityKey: number = Urgency.normal): Lane {
  if (isUrgent(priorityKey)) return 'urgent';
  return priorityKey > Urgency.normal ? 'bulk' : 'normal';
}

/** Waiting calls, in the order in which they may go. */
export interface Lanes<T> {
  readonly size: number;
  readonly hasUrgent: boolean;
  /** @param finishes it ends what other calls have prepared, so it goes before the others of its lane. */
  add(waiter: T, place: Place): void;
  delete(waiter: T): void;
  /** Removes and returns the next one. */
  next(): T | undefined;
}

export interface Place {
  lane: Lane;
  finishes: boolean;
}

/** A lane that was passed over so often goes next. The few calls of `watch` can so have a quarter of the permits, the others a tenth. */
const MOST_PASSED: Readonly<Record<Lane, number>> = { urgent: 8, normal: 8, watch: 3, bulk: 8 };

/**
 * Urgent calls go first, but every lane in which calls wait gets at least a tenth of the permits. In a
 * lane, calls that change something go before reads. A read that leads to a change can so never take
 * the permit of a change that waits already.
 */
export function createLanes<T>(): Lanes<T> {
  const lanes = LANES.map((lane) => emptyLane<T>(MOST_PASSED[lane]));
  return {
    get size() {
      return lanes.reduce((sum, { finishing, others }) => sum + finishing.size + others.size, 0);
    },
    get hasUrgent() {
      return lanes.slice(0, 1).some(isWaiting);
    },
    add(waiter, { lane, finishes }) {
      const at = lanes[LANES.indexOf(lane)];
      (finishes ? at?.finishing : at?.others)?.add(waiter);
    },
    delete(waiter) {
      for (const { finishing, others } of lanes) {
        finishing.delete(waiter);
        others.delete(waiter);
      }
    },
    next() {
      const waiting = lanes.filter(isWaiting);
      const due = waiting.filter(({ passed, mostPassed }) => passed >= mostPassed);
      const [longest] = due.sort((a, b) => b.passed - a.passed);
      const served = longest ?? waiting[0];
      if (served === undefined) return undefined;
      for (const lane of lanes) lane.passed = isWaiting(lane) ? lane.passed + 1 : 0;
      served.passed = 0;
      const from = served.finishing.size > 0 ? served.finishing : served.others;
      const [waiter] = from;
      if (waiter !== undefined) from.delete(waiter);
      return waiter;
    },
  };
}

function emptyLane<T>(mostPassed: number) {
  return { finishing: new Set<T>(), others: new Set<T>(), passed: 0, mostPassed };
}

function isWaiting({
  finishing,
  others,
}: Pick<ReturnType<typeof emptyLane>, 'finishing' | 'others'>): boolean {
  return finishing.size + others.size > 0;
}
