import { plural } from '../../engine/core/plural.js';
import type { WebhooksStatus } from '../../engine/schema/status-document.js';
import type { Narrative } from './narrative.js';
import type { RunFacts } from './run-facts.js';
import { joinWithAnd, sentence, when } from './sentences.js';

/** Adds which receivers do not take what the run tells them. It holds up no run, so it comes last. */
export function withWebhooks(narrative: Narrative, facts: RunFacts): Narrative {
  const { undelivered = [], pending = [] }: Partial<WebhooksStatus> = facts.status?.webhooks ?? {};
  const hosts = new Set([...undelivered, ...pending].map(({ host }) => host));
  if (hosts.size === 0) return narrative;
  const now = Date.parse(facts.observedAt);
  const last = undelivered.at(-1);
  return {
    sentences: [
      ...narrative.sentences,
      ...pending.map(
        ({ host, events, since }) =>
          `The receiver of webhooks at ${host} has not taken ${plural(events, 'event')} since ${when(since, now)}; ${events === 1 ? 'it is' : 'they are'} sent again for a day`,
      ),
      last === undefined
        ? ''
        : `${plural(undelivered.length, 'webhook')} will not be delivered any more; the last one is ${last.type} for ${last.host}: ${sentence(last.reason)}`,
    ],
    next: `${narrative.next}; and mend the receiver of webhooks at ${joinWithAnd([...hosts])} (docs/operate/webhook-receiver-down.md)`,
  };
}
