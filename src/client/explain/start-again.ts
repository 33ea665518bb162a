import { MARKER_TAG, operationOfId, requestIdOfRun } from '../../contract/wire/names.js';
import { plannedIdOf } from '../../engine/core/names.js';
import { isOperation } from '../operations.js';
import { OPERATIONS } from '../../contract/operations/index.js';
import { lookForTag, type LeftWork } from '../../contract/operations/define-operation.js';
import type { RunFacts } from './run-facts.js';
import type { Command } from './sentences.js';

type Descriptor = (typeof OPERATIONS)[keyof typeof OPERATIONS];

/** Of a run that is gone, the id may name it. `undefined` for the run of another product. */
function operationOf({ run, workflowId }: RunFacts): keyof typeof OPERATIONS | undefined {
  return isOperation(run?.operation) ? run.operation : operationOfId(workflowId);
}

function descriptorOf(facts: RunFacts): Descriptor | undefined {
  const operation = operationOf(facts);
  return operation && OPERATIONS[operation];
}

function isPlan({ workflowId }: RunFacts): boolean {
  return plannedIdOf(workflowId) !== undefined;
}

const PLAN_LEAVES: LeftWork = {
  says: 'A plan only reads: nothing was changed',
  next: 'nothing to do',
};

export function readsOnly(facts: RunFacts): boolean {
  return isPlan(facts) || descriptorOf(facts)?.readsOnly === true;
}

/** What a run that failed or was cancelled leaves where it names no resource. */
export function leftWork(facts: RunFacts): LeftWork {
  if (isPlan(facts)) return PLAN_LEAVES;
  return (
    descriptorOf(facts)?.leaves ?? { says: whereToLook(facts), next: 'remove what you do not need' }
  );
}

/** Where a person sees what a run did that could not report it. */
export function whereToLook(facts: RunFacts): string {
  if (isPlan(facts)) return PLAN_LEAVES.says;
  const tag = `${MARKER_TAG} = ${facts.namespace}/${facts.workflowId}`;
  return (descriptorOf(facts)?.whereToLook ?? lookForTag)(tag);
}

/** The command that starts the same request again: never a run in place of a plan. */
export function startAgain(facts: RunFacts, command: Command): string {
  const { workflowId } = facts;
  const requestId = requestIdOfRun(workflowId);
  const words = isPlan(facts)
    ? planAgain(operationOf(facts), requestId)
    : descriptorOf(facts)?.startAgain(requestId);
  return words === undefined ? 'start it again under the same workflow id' : command(...words);
}

function planAgain(operation: string | undefined, requestId: string | undefined) {
  return ['plan', operation ?? 'OPERATION', 'FILE', '--request-id', requestId ?? 'ID'];
}
