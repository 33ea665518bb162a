import { gatherFacts, type GatherDeps } from './gather-facts.js';
import type { RunFacts } from './run-facts.js';
import { toExplanation } from './to-explanation.js';

export interface ExplainOptions {
  /** Writes a command that the reader can copy; by default without server options. */
  command?: (...words: string[]) => string;
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
  workflowId: string,
  { command = plainCommand }: ExplainOptions = {},
): Promise<Explanation> {
  const facts = await gatherFacts(deps, workflowId);
  return { ...toExplanation(facts, command), facts };
}

function plainCommand(...words: string[]): string {
  return ['gcore-workflows', ...words].join(' ');
}
