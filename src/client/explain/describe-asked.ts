import { AskedFor } from '../../engine/core/asked.js';
import { UNKNOWN_IDENTITY } from '../../engine/core/identity.js';
import { Phase } from '../../engine/core/status.js';
import type { PastAsked, RunFacts } from './run-facts.js';
import { joinWithAnd, when } from './sentences.js';

const VERBS: Record<AskedFor, string> = {
  [AskedFor.start]: 'started',
  [AskedFor.retry]: 'started again',
  [AskedFor.pause]: 'paused',
  [AskedFor.resume]: 'resumed',
  [AskedFor.abort]: 'aborted',
  [AskedFor.cancel]: 'cancelled',
  [AskedFor.extend]: 'extended',
  [AskedFor.restore]: 'restored',
};

/** Who has asked what of the run since its start, but not the pause that holds now: that has its own sentence. */
export function describeAsked(facts: RunFacts): string[] {
  const now = Date.parse(facts.observedAt);
  const pause = pauseOf(facts);
  const asked = askedOf(facts).filter((one) => one !== pause);
  if (asked.length === 0) return [];
  return [`It was ${joinWithAnd(asked.map((one) => describe(one, now)))}`];
}

/** Who has paused the run, which is still paused. */
export function pausedBy(facts: RunFacts): string {
  const pause = pauseOf(facts);
  if (pause === undefined) return 'An operator';
  return `${pause.by}${senderOf(pause)}`;
}

/** `started by anna@host`, `started again`: by the memo of the run or, if that is silent, by its first event. */
export function howStarted({ run, past }: RunFacts): string {
  const { by = past.startedBy, as = AskedFor.start } = run?.startedBy ?? {};
  return `${VERBS[as]}${by === undefined || by === UNKNOWN_IDENTITY ? '' : ` by ${by}`}`;
}

/** From the history or, where that is too long, from the status. */
function askedOf({ past, status }: RunFacts): PastAsked[] {
  const seen = past.asked ?? [];
  const known: PastAsked[] = seen.length > 0 ? seen : (status?.asked ?? []);
  return known.filter(({ for: what }) => what !== AskedFor.start && what !== AskedFor.retry);
}

function pauseOf(facts: RunFacts): PastAsked | undefined {
  if (facts.status?.phase !== Phase.paused) return undefined;
  return askedOf(facts).findLast(({ for: what }) => what === AskedFor.pause);
}

function describe(asked: PastAsked, now: number): string {
  return `${VERBS[asked.for]} by ${asked.by}${senderOf(asked)} at ${when(asked.at, now)}`;
}

function senderOf({ sentBy, checkedAs }: PastAsked): string {
  const known = [
    sentBy === undefined ? [] : `sent by ${sentBy}`,
    checkedAs === undefined ? [] : `signed in at the Temporal server as ${checkedAs}`,
  ].flat();
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}
