import type { Operation } from '../../contract/names.js';
import type { RunFacts } from './run-facts.js';
import type { Command } from './to-explanation.js';

/** The command that starts an operation. */
const VERBS: Record<Operation, string> = {
  provisionInstance: 'provision',
};

function isOperation(name: string | undefined): name is Operation {
  return name !== undefined && Object.hasOwn(VERBS, name);
}

/** The command that starts the same request again. */
export function again({ workflowId, run }: RunFacts, command: Command): string {
  const requestId = /^[^/]+\/[^/]+\/(.+)$/.exec(workflowId)?.[1];
  if (requestId === undefined || !isOperation(run?.operation)) {
    return 'start it again under the same workflow id';
  }
  return command(VERBS[run.operation], '--file', 'FILE', '--request-id', requestId);
}
