import type { Target } from './api-description.js';

/** What the answers of one API area, or of one region of it, have shown. */
export interface AreaHealth {
  /** Resources whose last call failed, by their names. */
  readonly failing: ReadonlyMap<string, Failing>;
  /** When the newest call began that was answered: of the area, and of each collection. */
  readonly answeredAt: number;
  readonly answeredIn: ReadonlyMap<string, number>;
}

export interface Failing {
  collection: string;
  isCollection: boolean;
  /** In a row; 0 after an outage, until it is tried anew. */
  failures: number;
  /** When the first of them began. */
  begunAt: number;
  /** When the last one ended. */
  endedAt: number;
  /** Outages that it took part in since its last answer. */
  outages: number;
  /** Runs whose calls have failed. */
  callers: ReadonlySet<string>;
}

export interface Outcome extends Target {
  caller?: string | undefined;
  /** Times are monotonic. */
  begunAt: number;
  endedAt: number;
  hasFailed: boolean;
}

/** What a breaker stands before. */
export const Scope = { area: 'area', collection: 'collection', resource: 'resource' } as const;
export type Scope = (typeof Scope)[keyof typeof Scope];

export const FAILURES = 5;
/** One broken thing is no outage, and two may be an accident. */
const MIN_RESOURCES = 3;
const MIN_COLLECTIONS = 2;
/** Older failures say nothing about now. */
const EVIDENCE_MS = 2 * 60_000;
/** What takes part in more outages without any answer is broken by itself. */
const MOST_OUTAGES = 2;
const MOST_FAILING = 1_000;
const MOST_CALLERS = 100;
const NOBODY: ReadonlySet<string> = new Set();

export const HEALTHY: AreaHealth = {
  failing: new Map(),
  answeredAt: -Infinity,
  answeredIn: new Map(),
};

/** What is known after a call. */
export function afterCall(health: AreaHealth, outcome: Outcome): AreaHealth {
  return outcome.hasFailed ? afterFailure(health, outcome) : afterAnswer(health, outcome);
}

function afterFailure(
  health: AreaHealth,
  { resource, collection, isCollection, caller, begunAt, endedAt }: Outcome,
): AreaHealth {
  const failing = new Map(health.failing);
  const known = failing.get(resource) ?? { failures: 0, begunAt, outages: 0, callers: NOBODY };
  const isFirst = known.failures === 0;
  // The newest stands last, so the oldest is forgotten first.
  failing.delete(resource);
  failing.set(resource, {
    collection,
    isCollection,
    endedAt,
    outages: known.outages,
    failures: known.failures + 1,
    begunAt: isFirst ? begunAt : known.begunAt,
    callers: withCaller(known.callers, caller),
  });
  const [oldest] = failing.keys();
  if (failing.size > MOST_FAILING && oldest !== undefined) failing.delete(oldest);
  return { ...health, failing };
}

function withCaller(callers: ReadonlySet<string>, caller?: string): ReadonlySet<string> {
  const isFull = callers.size >= MOST_CALLERS;
  return caller === undefined || isFull ? callers : new Set(callers).add(caller);
}

function afterAnswer(health: AreaHealth, { resource, collection, begunAt }: Outcome): AreaHealth {
  const { answeredAt, answeredIn } = health;
  const failing = new Map(health.failing);
  // An answer to a call that began before the failures says nothing about the time after them.
  if ((failing.get(resource)?.begunAt ?? Infinity) <= begunAt) failing.delete(resource);
  return {
    failing,
    answeredAt: Math.max(answeredAt, begunAt),
    answeredIn: new Map(answeredIn).set(
      collection,
      Math.max(answeredIn.get(collection) ?? -Infinity, begunAt),
    ),
  };
}

export interface Out {
  scope: Scope;
  /** When the first of the failing calls began. */
  begunAt: number;
}

/**
 * The widest part that does not answer, as seen by a call to this target that has just failed.
 *
 * Evidence of an outage are failures of different resources since the last answer: of several collections for
 * an area, of one for a collection, where its list is enough by itself. What failed before that answer is broken by itself, while others work.
 */
export function outScope(
  health: AreaHealth,
  { resource, collection }: Omit<Target, 'isCollection'>,
  { now, mostFailures = FAILURES }: { now: number; mostFailures?: number },
): Out | undefined {
  const inArea = evidenceOf(health, undefined, now);
  const collections = new Set(inArea.map((failing) => failing.collection));
  if (isEnough(inArea, mostFailures) && collections.size >= MIN_COLLECTIONS) {
    return outSince(Scope.area, inArea);
  }
  const inCollection = evidenceOf(health, collection, now);
  const lists = inCollection.filter(({ isCollection }) => isCollection);
  const isListOut = countFailures(lists) >= mostFailures;
  if (isListOut || isEnough(inCollection, mostFailures)) {
    return outSince(Scope.collection, inCollection);
  }
  const own = health.failing.get(resource);
  return own !== undefined && own.failures >= mostFailures
    ? outSince(Scope.resource, [own])
    : undefined;
}

function outSince(scope: Scope, evidence: readonly Failing[]): Out {
  return { scope, begunAt: Math.min(...evidence.map(({ begunAt }) => begunAt)) };
}

function isEnough(evidence: readonly Failing[], mostFailures: number): boolean {
  return countFailures(evidence) >= mostFailures && evidence.length >= MIN_RESOURCES;
}

function countFailures(evidence: readonly Failing[]): number {
  return evidence.reduce((sum, failing) => sum + failing.failures, 0);
}

function evidenceOf(health: AreaHealth, collection: string | undefined, now: number): Failing[] {
  const answeredAt =
    collection === undefined ? health.answeredAt : (health.answeredIn.get(collection) ?? -Infinity);
  return [...health.failing.values()].filter(
    (failing) =>
      (collection === undefined || failing.collection === collection) &&
      failing.failures > 0 &&
      failing.begunAt >= answeredAt &&
      failing.endedAt >= now - EVIDENCE_MS,
  );
}

/**
 * What is known when an area, or a collection, answers again: what failed with the others is tried anew. But
 * what fails again and again while others are answered is broken by itself.
 */
export function afterOutage(health: AreaHealth, collection?: string): AreaHealth {
  const failing = [...health.failing].map(([resource, known]) => {
    const isIn = collection === undefined || known.collection === collection;
    if (!isIn || known.outages >= MOST_OUTAGES) return [resource, known] as const;
    return [
      resource,
      { ...known, failures: 0, callers: NOBODY, outages: known.outages + 1 },
    ] as const;
  });
  return { ...health, failing: new Map(failing) };
}

/**
 * Whether a call may show something new: nothing like it has failed. Where a single resource does not answer,
 * its calls differ by the run that makes them: one may create what no other can.
 */
export function isFresh(
  { failing }: AreaHealth,
  { resource, caller }: Pick<Outcome, 'resource' | 'caller'>,
  scope: Scope,
): boolean {
  const known = failing.get(resource);
  if (known === undefined || known.failures === 0) return true;
  const differs = scope === Scope.resource || (scope === Scope.collection && known.isCollection);
  return differs && caller !== undefined && !known.callers.has(caller);
}
