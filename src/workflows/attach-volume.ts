import type { AttachVolumeInput, AttachVolumeResult } from '../contract/operations/types.js';
import { instanceResource, Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType } from '../contract/wire/tasks.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation } from './gcore.js';
import { describeHolders, holdersOf } from './shared/holders.js';
import { instanceIdOf, isInstanceListed } from './shared/instance-change.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { attachmentChange, brokenFaults, isAttached, volumeOf } from './shared/volume-change.js';

const attach = attachmentChange<AttachVolumeInput>({
  name: 'attach volume',
  worksOn: (input) => [instanceResource(instanceIdOf(input))],
  drift(volume, { input }) {
    const isThere = holdersOf(volume)?.includes(instanceIdOf(input)) === true;
    if (!isThere) return `it is attached to ${describeHolders(volume)}`;
    return volume.status === 'in-use' ? undefined : `its status is ${volume.status}`;
  },
  faults(volume, { input }) {
    const holders = holdersOf(volume);
    const isFree = holders?.length === 0 || holders?.includes(instanceIdOf(input)) === true;
    return isFree
      ? brokenFaults(volume)
      : [isAttached(volume, 'Detach it there first, if nothing uses it.')];
  },
  async check(_volume, { reads, input, prepared: { projectId, regionId } }, draft) {
    const instanceId = instanceIdOf(input);
    const place = { projectId, regionId };
    const target = { ...place, instanceId };
    const seen = await draft.look(instanceResource(instanceId), () => reads.getInstance(target));
    if (seen.is !== 'missing' || (await isInstanceListed({ reads, input }, place))) return;
    draft.fault({
      path: 'instanceId',
      message: `There is no instance ${instanceId}`,
      advice: `Check the id: GET ${paths.instances(target)} lists them.`,
    });
  },
  call: ({ id, ...place }) => ({
    path: paths.attachVolume(place, id),
    purpose: 'attach the volume',
  }),
  send: (run, within) => {
    const instanceId = instanceIdOf(run.input);
    return run.api.mutations.attachVolume(
      { ...within, summary: `to instance ${instanceId}` },
      { ...volumeOf(run), instanceId },
    );
  },
  starts: () => TaskType.attachVolume,
  says: ({ after }) => `attached to ${describeHolders(after)}`,
});

/**
 * Attaches a volume to an instance. Reports success only when a read shows it there.
 *
 * Sends nothing when the instance has the volume, and refuses a volume that another one has. After a lost answer it
 * sends again only when no task of the call shows in the grace time. Runs on the volume or the instance take turns. A
 * failed or cancelled run changes nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function attachVolume(
  input: AttachVolumeInput,
): Promise<AttachVolumeResult | Planned> {
  const { attachVolume: operation } = Operation;
  const { prepareAttachVolume: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    attach,
    ({ after, taskIds }, run): AttachVolumeResult => ({
      volumeId: after.id,
      instanceId: instanceIdOf(run.input),
      status: after.status,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
