import { Held } from '../contract/wire/names.js';
import { Phase } from '../engine/core/status.js';
import type { StatusDocument } from '../engine/schema/status-document.js';

/** A protection that a run has read back and keeps. Times are ISO 8601. */
export interface Protection {
  /** The run has not looked since then. */
  since: string;
  /** Then the run puts back what was before. */
  until: string;
}

/** `undefined` for a run that protects nothing yet, or any more, or that never wanted to. */
export function protectionOf({ waiting }: StatusDocument): Protection | undefined {
  const until = waiting?.holds === Held.protected ? waiting.nextCheckAt : undefined;
  return until === undefined || waiting === undefined ? undefined : { since: waiting.since, until };
}

/** Whether a run holds what it has reached: `extend` and `restore` make sense. */
export function isHolding({ waiting }: Pick<StatusDocument, 'waiting'>): boolean {
  return waiting?.holds !== undefined;
}

/** The word for what a run is doing: one that protects an address does not merely wait. */
export function shownPhase(status: StatusDocument): Phase | 'protected' {
  const isProtected = status.phase === Phase.waiting && protectionOf(status) !== undefined;
  return isProtected ? 'protected' : status.phase;
}
