import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  workflowInfo,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';

import type { WorkflowOf } from '../../contract/operations/index.js';
import type { Operations } from '../../contract/operations/types.js';
import { partIdFor, type PartName } from '../../contract/wire/names.js';
import { Urgency } from '../../engine/core/names.js';
import type { PreparedRun } from '../../engine/core/prepared-run.js';
import { Phase, StepState } from '../../engine/core/status.js';
import { CUT_SHORT_MEMO, PART_OF_MEMO } from '../../engine/core/identity.js';
import { isoOf } from '../../engine/core/times.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { AssertInput } from '../../engine/run/restart-on-corrected-input.js';
import { cancelRun, resultOfChild, startOwnChild } from '../../engine/run/run-child.js';
import { createPause } from '../../engine/wait/create-pause.js';
import type { Run } from '../gcore.js';

/** A run that knows whether those of its parts may have been cut short. */
type PartRun = Run<PreparedRun & { cutShortAt?: number }>;

/** What a run has done by another run, of an operation that callers have too. */
export interface Part<O extends keyof Operations> {
  operation: O;
  /** The end of its Workflow Id, after that of this run: each part of a run has its own. */
  as: PartName;
  input: Parameters<WorkflowOf<O>>[0];
  /** For people, in the list of runs. */
  summary: string;
  /** Called before the run is asked for: throws when this is not what is meant any more. */
  assertInput?: AssertInput;
  /** The run of the part has begun. */
  onStarted?: () => void;
}

/** What a part has done, and the Workflow Id of its run. */
export interface DonePart<O extends keyof Operations> {
  result: Operations[O]['result'];
  workflowId: string;
}

/**
 * Has a part done, and waits for its end. When this run is to end meanwhile, the run of the part is asked to cancel, and is
 * waited for too: it undoes its own work.
 */
export async function runPart<O extends keyof Operations>(
  run: PartRun,
  step: StepRecorder,
  part: Part<O>,
): Promise<DonePart<O>> {
  await run.controls.untilUnpaused();
  try {
    const child = await startPart(run, step, part);
    part.onStarted?.();
    const { workflowId } = child;
    step.set(StepState.waiting, { note: `run ${workflowId}` });
    run.ledger.setWaiting({
      for: `run ${workflowId}`,
      child: workflowId,
      since: isoOf(Date.now()),
    });
    return { result: await resultOf(run, child), workflowId };
  } finally {
    run.ledger.setWaiting(undefined);
  }
}

/** A rollback is cancelled by nothing. Who ends the run meanwhile, or its deadline, ends the part that undoes its work. */
async function resultOf<T>(
  { controls, ledger }: Run,
  child: { workflowId: string; result(): Promise<T> },
): Promise<T> {
  if (ledger.document().phase !== Phase.rollingBack) return resultOfChild(child);
  const before = controls.endingReason();
  return CancellationScope.cancellable(async () => {
    const scope = CancellationScope.current();
    let hasEnded = false;
    void condition(() => hasEnded || controls.endingReason() !== before).then(() => {
      if (!hasEnded) scope.cancel();
    });
    try {
      return await resultOfChild(child);
    } finally {
      hasEnded = true;
    }
  });
}

/** The Workflow Id of a part of this run. */
export function partId(as: PartName): string {
  return partIdFor(workflowInfo().workflowId, as);
}

/**
 * Starts the run. A run of an earlier try with the same id may still be undoing its work, and one from before a
 * reset would go on: nobody waits for it any more, so it is asked to undo its work too.
 */
async function startPart<O extends keyof Operations>(
  run: PartRun,
  step: StepRecorder,
  { operation, as, input, summary, assertInput }: Part<O>,
): Promise<ChildWorkflowHandle<WorkflowOf<O>>> {
  const { workflowId: parent, priority, originalExecutionRunId: partOf } = workflowInfo();
  const workflowId = partId(as);
  const name = `run ${workflowId} of an earlier try to end`;
  const pause = createPause(run, { name, type: 'list of the API' });
  let { cutShortAt } = run.prepared;
  for (let isOrphanAsked = false; ; isOrphanAsked = true) {
    await run.controls.untilUnpaused();
    assertInput?.();
    const { state: before } = step;
    // From here on another input comes too late.
    step.set(StepState.sending);
    try {
      return await startOwnChild<WorkflowOf<O>>(operation, {
        workflowId,
        args: [input],
        // A terminated run undoes nothing. This one should be cancelled with its parent and clean up.
        parentClosePolicy: 'REQUEST_CANCEL',
        staticSummary: `${summary} of ${parent}`,
        // A part of a run that is no incident is none.
        priority: { priorityKey: priority?.priorityKey ?? Urgency.normal },
        // Whatever run of the part there was before this one has ended by then.
        memo: {
          [PART_OF_MEMO]: partOf,
          ...(cutShortAt !== undefined && { [CUT_SHORT_MEMO]: cutShortAt }),
        },
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      step.set(before);
      if (!isOrphanAsked) await cancelRun(workflowId);
      await pause();
      if (cutShortAt !== undefined) cutShortAt = Date.now();
    }
  }
}

/**
 * A reset leaves the parts of the run before it open, and nobody follows them: each is asked to end, also where this run ends before
 * it comes to that part.
 */
export async function endOrphans(run: PartRun, parts: readonly PartName[]): Promise<void> {
  if (run.prepared.cutShortAt === undefined) return;
  await Promise.all(parts.map((as) => cancelRun(partId(as))));
}

/** What every part takes from its run. This run tells about all of them. */
export function partFields({ controls, prepared }: Run) {
  const { account, onBlocked, labels, notify } = prepared;
  return {
    account,
    // What undoes the work of a run that is to end waits for no person.
    onBlocked: controls.endingReason() === undefined ? onBlocked : ('fail' as const),
    ...(labels && { labels }),
    ...(notify && { notify: [] }),
  };
}
