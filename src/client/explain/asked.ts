import type { LoadedDataConverter, Payload } from '@temporalio/common';

import {
  AskedFor,
  identityOfCancel,
  toIdentity,
  UNKNOWN_IDENTITY,
} from '../../engine/core/identity.js';
import { Phase } from '../../engine/core/status.js';
import { updateRequestOf, type HistoryEvent } from '../history-events.js';
import { decodePayloads, toIso } from './decode.js';
import type { PastAsked, RunFacts } from './run-facts.js';
import { joinWithAnd, when } from './sentences.js';

/** Longer lists hide what matters. */
const MAX_NAMED = 5;

/**
 * Who has asked what of a run, the oldest first. An event also holds the identity of the client that has sent it,
 * which the run itself cannot see.
 * @param events newest first.
 */
export async function readAsked(
  events: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<PastAsked[]> {
  const found: PastAsked[] = [];
  for (const event of events) {
    const asked = (await updateOf(event, converter)) ?? cancelOf(event);
    if (asked !== undefined) found.push(asked);
    if (found.length === MAX_NAMED) break;
  }
  return found.reverse();
}

async function updateOf(
  event: HistoryEvent,
  converter: LoadedDataConverter,
): Promise<PastAsked | undefined> {
  const { input, meta } = updateRequestOf(event) ?? {};
  const what = WORDS.get(input?.name ?? '');
  if (what === undefined) return undefined;
  const claimed = await claimOf(input?.args?.payloads ?? [], converter);
  return toAsked(what, event, { claimed, sender: meta?.identity });
}

function cancelOf(event: HistoryEvent): PastAsked | undefined {
  const request = event.workflowExecutionCancelRequestedEventAttributes;
  if (!request) return undefined;
  const claimed = identityOfCancel(request.cause);
  return toAsked(AskedFor.cancel, event, { claimed, sender: request.identity });
}

const WORDS: ReadonlyMap<string, AskedFor> = new Map(
  [AskedFor.pause, AskedFor.resume, AskedFor.abort, AskedFor.extend, AskedFor.restore].map(
    (what) => [what, what],
  ),
);

/** The name in the argument. Without the key of a codec nobody can read it. */
async function claimOf(
  payloads: readonly Payload[],
  converter: LoadedDataConverter,
): Promise<unknown> {
  try {
    const [request] = await decodePayloads(converter, payloads.slice(0, 1));
    return request instanceof Object && 'by' in request ? request.by : undefined;
  } catch {
    return undefined;
  }
}

function toAsked(
  what: AskedFor,
  { eventTime, principal }: HistoryEvent,
  names: { claimed: unknown; sender: unknown },
): PastAsked {
  const claimed = toIdentity(names.claimed);
  const sender = toIdentity(names.sender);
  const by = claimed === UNKNOWN_IDENTITY ? sender : claimed;
  const isOther = sender !== UNKNOWN_IDENTITY && sender !== by;
  const checked = principal?.name ? toIdentity(`${principal.type ?? ''} ${principal.name}`) : '';
  return {
    for: what,
    by,
    at: toIso(eventTime),
    ...(isOther && { sentBy: sender }),
    ...(checked !== '' && { checkedAs: checked }),
  };
}

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
