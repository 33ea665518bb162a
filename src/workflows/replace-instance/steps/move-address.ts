import { CancellationScope } from '@temporalio/workflow';

import type { PlacedFloatingIp } from '../../../activities/floating-ip-moves.js';
import type { MoveFloatingIpResult } from '../../../contract/operations/types.js';
import { Operation, ResourceKind } from '../../../contract/wire/names.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import { failureTypeOf } from '../../../engine/run/failures.js';
import { lookUnpaused } from '../../../engine/run/look-unpaused.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { RegisteredRollback } from '../../../engine/run/rollback.js';
import { partFields, type Part } from '../../shared/run-part.js';
import { findAt, refuseOtherHolder } from './check-start.js';
import { replacePart } from './replace-part.js';
import { namedBy, type ReplaceRun } from './replace-run.js';

/** What is known of the move. */
export interface Moving {
  /** The move has ended without an answer to whether it has happened, or still may. */
  isUnclear?: true;
  /** The way back has begun, and it is not known yet where the floating IP is. */
  isBackOpen?: true;
}

interface Move {
  /** Where the floating IP was at the first look. */
  before: PlacedFloatingIp;
  newId: string;
  moving: Moving;
}

/**
 * Moves the floating IP to the new instance by a run of its own. That run is waited for also when this one is to end: only
 * then is it known where the floating IP is.
 */
export async function moveAddress(
  run: ReplaceRun,
  step: StepRecorder,
  move: Move,
): Promise<{ result: MoveFloatingIpResult; undo: RegisteredRollback }> {
  const { floatingIpId } = namedBy(run);
  const { newId, moving } = move;
  const { fixedIpAddress } = run.input;
  const resources = [{ kind: ResourceKind.floatingIp, id: floatingIpId }];
  // Minutes have passed since the first look, and no pause may follow this one.
  const { state: seen } = await lookUnpaused(run, () => refuseOtherHolder(run, step));
  const undo = run.onRollback(step, {
    undo: () => moveBack(run, step, move),
    inventory: () => Promise.resolve([]),
    note: 'it is where it was',
  });
  try {
    const result = await CancellationScope.nonCancellable(() =>
      moveTo(run, step, {
        instanceId: newId,
        fixedIpAddress,
        fromPortId: seen.portId,
        as: 'move',
        summary: 'move the floating IP',
      }),
    );
    const { taskIds, address } = result;
    step.set(StepState.verified, { taskIds, resources, note: address ?? floatingIpId });
    return { result, undo };
  } catch (error) {
    const type = failureTypeOf(error);
    if (type === undefined || !NOT_MOVED.has(type)) moving.isUnclear = true;
    step.set(StepState.failed, {});
    throw error;
  }
}

/** After these, no call of the move is on its way. */
const NOT_MOVED: ReadonlySet<FailureType> = new Set([
  FailureType.invalidInput,
  FailureType.invalidRequest,
  FailureType.notFound,
  FailureType.taskFailed,
]);

/** Only from the new instance: what somebody has moved since stays where it is. */
async function moveBack(
  run: ReplaceRun,
  step: StepRecorder,
  { before, newId, moving }: Move,
): Promise<void> {
  moving.isBackOpen = true;
  const seen = await findAt(run, newId);
  if (seen !== undefined && seen.portId !== before.portId) {
    await moveTo(run, step, {
      instanceId: namedBy(run).oldId,
      fixedIpAddress: before.fixedIp,
      fromPortId: seen.portId,
      as: 'back',
      summary: 'move the floating IP back',
    });
    delete moving.isUnclear;
  }
  delete moving.isBackOpen;
}

type MovePart = Pick<Part<'moveFloatingIp'>, 'as' | 'summary'> & {
  instanceId: string;
  fixedIpAddress: string | undefined;
  /** Where the last look has shown it: the run may wait for its turn, and takes it from no other port. */
  fromPortId: string | undefined;
};

function moveTo(
  run: ReplaceRun,
  step: StepRecorder,
  { instanceId, fixedIpAddress, fromPortId, ...part }: MovePart,
): Promise<MoveFloatingIpResult> {
  const { place, floatingIpId } = namedBy(run);
  const input = {
    ...partFields(run),
    ...place,
    floatingIpId,
    instanceId,
    ...(fixedIpAddress !== undefined && { fixedIpAddress }),
    ...(fromPortId !== undefined && { fromPortId }),
  };
  return replacePart(run, step, { operation: Operation.moveFloatingIp, input, ...part });
}
