import type { Operations } from '../../../contract/operations/types.js';
import { Operation } from '../../../contract/wire/names.js';
import { FailureType } from '../../../engine/core/failures.js';
import { failure, isCutShortPart } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { partFields, partId, runPart, type Part } from '../../shared/run-part.js';
import { namedBy, type ReplaceRun } from './replace-run.js';

/** Has a part done. Fails as its run fails; as `OutcomeUnknown` when somebody has ended that run from outside. */
export async function replacePart<O extends keyof Operations>(
  run: ReplaceRun,
  step: StepRecorder,
  part: Part<O>,
): Promise<Operations[O]['result']> {
  try {
    const { result } = await runPart(run, step, part);
    return result;
  } catch (error) {
    if (!isCutShortPart(error)) throw error;
    throw failure(
      FailureType.outcomeUnknown,
      `The run ${partId(part.as)} was terminated or has timed out: nothing says what it has done, so nothing is undone.`,
      { advice: 'Look at both instances and at the floating IP, then start again.' },
    );
  }
}

type DeletePart = Pick<Part<'deleteInstance'>, 'as' | 'summary' | 'onStarted'> &
  Pick<Part<'deleteInstance'>['input'], 'instanceId' | 'volumes' | 'unlessSnapshots'>;

/** Has one of the two instances deleted, and no floating IP. Its run may wait, and somebody may move the address to it. */
export function deletePart(
  run: ReplaceRun,
  step: StepRecorder,
  { instanceId, volumes, unlessSnapshots, ...part }: DeletePart,
): Promise<Operations['deleteInstance']['result']> {
  const { place, floatingIpId: unlessFloatingIpId } = namedBy(run);
  const choice = {
    volumes,
    floatingIps: 'keep',
    unlessFloatingIpId,
    ...(unlessSnapshots === true && { unlessSnapshots }),
  } as const;
  const input = { ...partFields(run), ...place, instanceId, ...choice };
  return replacePart(run, step, { operation: Operation.deleteInstance, input, ...part });
}
