import { gatherFacts, type GatherDeps } from './gather-facts.js';
import type { RunFacts } from './run-facts.js';
import { toExplanation } from './to-explanation.js';

export interface ExplainOptions {
  /** How a command is written for the reader to copy; by default without any options of the server. */
  command?: (...words: string[]) => string;
}

/** A run in plain words. */
export interface Explanation {
  paragraph: string;
  /** The one thing to do now: a command, or nothing. */
  next: string;
  facts: RunFacts;
}

/** Finds out about a run what can be found out within seconds, and says it in words. */
export async function explainRun(
  deps: GatherDeps,
  workflowId: string,
  { command = plainCommand }: ExplainOptions = {},
): Promise<Explanation> {
  const facts = await gatherFacts(deps, workflowId);
  return { ...toExplanation(facts, command), facts };
}

function plainCommand(...words: string[]): string {
  return ['gcore-workflows', ...words].join(' ');
}
