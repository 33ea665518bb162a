import type { DetachVolumeInput, DetachVolumeResult } from '../contract/operations/types.js';
import { instanceResource, Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType } from '../contract/wire/tasks.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation } from './gcore.js';
import { describeHolders, holdersOf } from './shared/holders.js';
import { instanceIdOf } from './shared/instance-change.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { attachmentChange, volumeOf } from './shared/volume-change.js';

/** It is about to have an instance, or to have none. */
const MOVING: ReadonlySet<string> = new Set(['attaching', 'detaching']);

const detach = attachmentChange<DetachVolumeInput>({
  name: 'detach volume',
  worksOn: (input) => [instanceResource(instanceIdOf(input))],
  drift(volume, { input }) {
    const holders = holdersOf(volume);
    if (holders === undefined) return `it is attached to ${describeHolders(volume)}`;
    if (holders.includes(instanceIdOf(input))) return 'the instance still has it';
    return MOVING.has(volume.status) ? `its status is ${volume.status}` : undefined;
  },
  faults: ({ isRoot }, { input }) =>
    isRoot !== true
      ? []
      : [
          {
            path: 'volumeId',
            message: `Instance ${instanceIdOf(input)} boots from the volume`,
            advice: 'Delete the instance instead: `deleteInstance` keeps its volumes unless told.',
          },
        ],
  call: ({ id, ...place }) => ({
    path: paths.detachVolume(place, id),
    purpose: 'detach the volume',
  }),
  send: (run, within) => {
    const instanceId = instanceIdOf(run.input);
    return run.api.mutations.detachVolume(
      { ...within, summary: `from instance ${instanceId}` },
      { ...volumeOf(run), instanceId },
    );
  },
  starts: () => TaskType.detachVolume,
  says: ({ after }) => `attached to ${describeHolders(after)}`,
  irreversible: () =>
    'The instance loses the volume while it runs: what it has not written yet is lost. Unmount it first.',
});

/**
 * Detaches a volume from an instance. Reports success only when a read shows that the instance no longer has it.
 *
 * Sends nothing when the instance has not got it, and refuses the volume that it boots from. After a lost answer it
 * sends again only when no task of the call shows in the grace time. Runs on the volume or the instance take turns. A
 * failed or cancelled run changes nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function detachVolume(
  input: DetachVolumeInput,
): Promise<DetachVolumeResult | Planned> {
  const { detachVolume: operation } = Operation;
  const { prepareDetachVolume: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    detach,
    ({ after, taskIds }, run): DetachVolumeResult => ({
      volumeId: after.id,
      instanceId: instanceIdOf(run.input),
      status: after.status,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
