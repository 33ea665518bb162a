import { explainClosed } from './explain-closed.js';
import { explainOpen } from './explain-open.js';
import type { Command, Narrative } from './narrative.js';
import type { RunFacts } from './run-facts.js';
import { readsOnly, whereToLook } from './start-again.js';
import { withWebhooks } from './with-webhooks.js';
import { sentence } from './sentences.js';

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
