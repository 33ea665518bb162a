import { plural } from '../../engine/core/text.js';
import type { WebhooksStatus } from '../../engine/schema/status-document.js';
import { toAsked, type RunName } from '../ask-run.js';
import { explainClosed } from './explain-closed.js';
import { explainOpen } from './explain-open.js';
import { gatherFacts, type GatherDeps } from './gather-facts.js';
import type { RunFacts } from './run-facts.js';
import { sentence, joinWithAnd, when, type Command, type Narrative } from './sentences.js';
import { readsOnly, whereToLook } from './start-again.js';

export interface ExplainOptions {
  /** Writes a command that the reader can copy; by default without server options. */
  command?: (...words: string[]) => string;
  /** False: the caller knows that no worker answers, so that the run need not be asked for its status. */
  asksRun?: boolean;
}

/** A run in plain English. */
export interface Explanation {
  paragraph: string;
  /** The next step: a command, or nothing to do. */
  next: string;
  facts: RunFacts;
}

/** Gathers the facts of a run within seconds and explains them. */
export async function explainRun(
  deps: GatherDeps,
  run: RunName,
  { command = plainCommand, asksRun = true }: ExplainOptions = {},
): Promise<Explanation> {
  const facts = await gatherFacts({ ...deps, asksRun }, toAsked(run));
  return { ...toExplanation(facts, command), facts };
}

function plainCommand(...words: string[]): string {
  return ['gcore-workflows', ...words].join(' ');
}

/** Facts of a run in plain English. The same facts always give the same text. */
export function toExplanation(
  facts: RunFacts,
  command: Command,
): { paragraph: string; next: string } {
  const { sentences, next } = withWebhooks(narrate(facts, command), facts);
  const paragraph = sentences.map(sentence).filter(Boolean).join(' ');
  return { paragraph, next };
}

function narrate(facts: RunFacts, command: Command): Narrative {
  const { run } = facts;
  if (run === undefined) return explainUnknown(facts, command);
  return run.closedAt === undefined
    ? explainOpen({ ...facts, run }, command)
    : explainClosed({ ...facts, run, closedAt: run.closedAt }, command);
}

function explainUnknown(facts: RunFacts, command: Command): Narrative {
  const { workflowId, namespace } = facts;
  return {
    sentences: [
      `There is no run "${workflowId}" in the namespace "${namespace}". The id or the namespace is wrong, or the run ended so long ago that Temporal has deleted it`,
      whereToLook(facts),
      readsOnly(facts) ? '' : 'The same request finds it when you start it again',
    ],
    next: `find the right id: ${command('list')}`,
  };
}

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
