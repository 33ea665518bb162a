import { explainClosed } from './explain-closed.js';
import { explainOpen } from './explain-open.js';
import type { Command, Narrative } from './narrative.js';
import type { RunFacts } from './run-facts.js';
import { sentence } from './sentences.js';

/** What is known of a run in plain words; the same facts always give the same words. */
export function toExplanation(
  facts: RunFacts,
  command: Command,
): { paragraph: string; next: string } {
  const { sentences, next } = tell(facts, command);
  const paragraph = sentences.map(sentence).filter(Boolean).join(' ');
  return { paragraph, next };
}

function tell(facts: RunFacts, command: Command): Narrative {
  const { run } = facts;
  if (run === undefined) return unknown(facts, command);
  return run.closedAt === undefined
    ? explainOpen({ ...facts, run }, command)
    : explainClosed({ ...facts, run, closedAt: run.closedAt }, command);
}

function unknown({ workflowId, namespace }: RunFacts, command: Command): Narrative {
  return {
    sentences: [
      `There is no run "${workflowId}" in the namespace "${namespace}": the id or the namespace is another, or the run ended so long ago that Temporal has forgotten it`,
      `What such a run made still carries the tag workflow-request at the API, and a repeat of its request finds it again`,
    ],
    next: `look for the id: ${command('list')}`,
  };
}
