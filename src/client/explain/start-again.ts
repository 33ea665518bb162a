import { MARKER_TAG } from '../../contract/names.js';
import { isOperation, OPERATIONS } from '../operations/index.js';
import { lookForTag, type LeftWork } from '../operations/operation-descriptor.js';
import type { RunFacts } from './run-facts.js';
import type { Command } from './narrative.js';

type Descriptor = (typeof OPERATIONS)[keyof typeof OPERATIONS];

/** `undefined` for the run of another product. */
function descriptorOf({ run }: RunFacts): Descriptor | undefined {
  return isOperation(run?.operation) ? OPERATIONS[run.operation] : undefined;
}

export function readsOnly(facts: RunFacts): boolean {
  return descriptorOf(facts)?.readsOnly === true;
}

/** What a run that failed or was cancelled leaves where it names no resource. */
export function leftWork(facts: RunFacts): LeftWork {
  return (
    descriptorOf(facts)?.leaves ?? { says: whereToLook(facts), next: 'remove what you do not need' }
  );
}

/** Where a person sees what a run did that could not report it. */
export function whereToLook(facts: RunFacts): string {
  const tag = `${MARKER_TAG} = ${facts.namespace}/${facts.workflowId}`;
  return (descriptorOf(facts)?.whereToLook ?? lookForTag)(tag);
}

/** The command that starts the same request again. */
export function startAgain(facts: RunFacts, command: Command): string {
  const requestId = /^[^/]+\/[^/]+\/(.+)$/.exec(facts.workflowId)?.[1];
  const words = descriptorOf(facts)?.startAgain(requestId);
  return words === undefined ? 'start it again under the same workflow id' : command(...words);
}
