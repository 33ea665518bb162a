import { toMarker } from '../../contract/marker.js';
import {
  MARKER_TAG,
  NEW_INSTANCE,
  Operation,
  operationOfId,
  partIdFor,
  requestIdOfRun,
  workflowIdFor,
} from '../../contract/wire/names.js';
import { FailureType } from '../../engine/core/failures.js';
import { DEFAULT_ACCOUNT, plannedIdOf } from '../../engine/core/names.js';
import { accountOf } from '../pollers.js';
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
  const tag = `${MARKER_TAG} = ${toMarker(facts.namespace, makerIn(facts))}`;
  return (descriptorOf(facts)?.whereToLook ?? lookForTag)(tag);
}

/** The Workflow Id of what makes something for the run: of a replacement its part. */
function makerIn(facts: RunFacts): string {
  const isReplacement = operationOf(facts) === Operation.replaceInstance;
  return isReplacement ? partIdFor(facts.workflowId, NEW_INSTANCE) : facts.workflowId;
}

/** The command that starts the same request again: never a run in place of a plan. */
export function startAgain(facts: RunFacts, command: Command): string {
  const requestId = requestIdOf(facts);
  if (isPlan(facts)) return command(...planAgain(operationOf(facts), requestId));
  // A failed video stays failed in its request: they are imported as one of their own.
  if (hasFailedVideos(facts)) return command('retry', facts.workflowId);
  const words = descriptorOf(facts)?.startAgain(requestId);
  if (words === undefined) return 'start it again under the same workflow id';
  const account = accountIn(facts);
  return command(...words, ...(account === DEFAULT_ACCOUNT ? [] : ['--account', account]));
}

function hasFailedVideos(facts: RunFacts): boolean {
  const { ending } = facts;
  const isPartial = ending?.kind === 'failed' && ending.type === FailureType.itemsFailed;
  return isPartial && operationOf(facts) === Operation.importVideos;
}

/** `undefined` where a command would build another Workflow Id of it: that would be another request. */
function requestIdOf(facts: RunFacts): string | undefined {
  const id = plannedIdOf(facts.workflowId) ?? facts.workflowId;
  const operation = operationOf(facts);
  const requestId = requestIdOfRun(id);
  if (operation === undefined || requestId === undefined) return undefined;
  return workflowIdFor(operation, accountIn(facts), requestId) === id ? requestId : undefined;
}

function accountIn({ run, workflowId }: RunFacts): string {
  return run?.account ?? accountOf(workflowId);
}

function planAgain(operation: string | undefined, requestId: string | undefined) {
  return ['plan', operation ?? 'OPERATION', 'FILE', '--request-id', requestId ?? 'ID'];
}
