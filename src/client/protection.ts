import { Phase } from '../engine/core/status.js';
import type { StatusDocument } from '../engine/schema/status-document.js';

/** What a hold shows as waiting. */
const HOLD = 'the end of the hold';
/** What the step says that has switched the profile on. A run may also hold one that is off, as its input asks. */
const ACTIVE = 'active';

/** A protection that a run has read back and keeps. Times are ISO 8601. */
export interface Protection {
  /** The run has not looked since then. */
  since: string;
  /** Then the run puts back what was before. */
  until: string;
}

/** `undefined` for a run that protects nothing yet, or any more, or that never wanted to. */
export function protectionOf({ waiting, steps }: StatusDocument): Protection | undefined {
  const until = waiting?.for === HOLD ? waiting.nextCheckAt : undefined;
  if (until === undefined || waiting === undefined) return undefined;
  return steps.some(({ note }) => note === ACTIVE) ? { since: waiting.since, until } : undefined;
}

/** Whether a run holds what it has reached: `extend` and `restore` make sense. */
export function isHolding({ waiting }: Pick<StatusDocument, 'waiting'>): boolean {
  return waiting?.for === HOLD;
}

/** The word for what a run is doing: one that protects an address does not merely wait. */
export function shownPhase(status: StatusDocument): Phase | 'protected' {
  const isProtected = status.phase === Phase.waiting && protectionOf(status) !== undefined;
  return isProtected ? 'protected' : status.phase;
}
