import type { LoadedDataConverter, Payload } from '@temporalio/common';
import type proto from '@temporalio/proto';

import { AskedFor } from '../../engine/core/asked.js';
import { identityOfCancel, toIdentity, UNKNOWN_IDENTITY } from '../../engine/core/identity.js';
import { decodePayloads } from './decode.js';
import type { PastAsked } from './run-facts.js';
import { toIso } from './timestamp.js';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

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
  const { input, meta } =
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {};
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
    ...{ for: what, by, at: toIso(eventTime) },
    ...(isOther && { sentBy: sender }),
    ...(checked !== '' && { checkedAs: checked }),
  };
}
