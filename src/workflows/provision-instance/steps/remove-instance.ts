import type { Unblock } from '../../../engine/run/park-while-blocked.js';
import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { OnePart } from '../../../activities/instance-parts.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { VolumeView } from '../../../activities/lookups.js';
import type { StartedRemoval } from '../../../engine/core/tasks.js';
import { ResourceKind, type Place } from '../../../contract/wire/names.js';
import { common, without } from '../../../engine/core/lists.js';
import type { Resource } from '../../../engine/core/status.js';
import { TaskType } from '../../../contract/wire/tasks.js';
import type { Within } from '../../../engine/run/activity-calls.js';
import { orUndefinedIfGone } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { lookUnpaused } from '../../../engine/run/look-unpaused.js';
import type { Seen } from '../../../engine/run/read-times.js';
import type { MakerRun } from '../../gcore.js';
import {
  attemptDelete,
  isCarriedOut,
  type TriedRemoval,
  leftBehind,
  untilGone,
  type LeftResource,
} from '../../../engine/send/until-gone.js';
import { findUnlessGone, type FoundOrGone } from '../../../engine/wait/find-unless-gone.js';
import { waitForTasks } from '../../../engine/wait/wait-for-tasks.js';
import { otherHolderOfFloatingIp, otherHolderOfVolume } from '../../shared/holders.js';
import { waitForLock } from '../../shared/wait-for-lock.js';
import {
  findAllMade,
  findMade,
  mergeMade,
  toResources,
  type MadeResources,
} from './made-resources.js';
import type { CreateRequest } from './create-request.js';

/**
 * Removes what this run made, with the leftovers of earlier runs: instances, their new volumes (by
 * default they outlive the instance and keep costing money) and floating IPs.
 *
 * First waits for the tasks of the create, because the API cannot cancel a task. Then deletes until one
 * pass finds nothing: the API knows none of them any more, and the lists are empty. Blocks as
 * `RemovalBlocked` when it gets no further.
 */
export async function removeInstance(
  run: MakerRun,
  request: CreateRequest,
  { step, taskIds }: { step: StepRecorder; taskIds: readonly string[] },
): Promise<void> {
  await waitForTasks(run, taskIds, { step, expect: TaskType.createVm, unlimited: true });
  let made = await findAllMade(run, request, taskIds);
  const proven = new Set<string>();
  let passes = 0;
  let gone: ReadonlySet<string> = new Set();
  await untilGone(run, 'removal of the instance', async (unblock) => {
    if (passes > 0) made = mergeMade(await findMade(run, request, taskIds), made);
    passes += 1;
    const resources = toResources(made);
    step.set(step.state, { resources: resources.filter(({ id }) => !gone.has(id)) });
    const left = await removeOnce(run, step, { place: request.place, made, proven, unblock });
    const leftIds = left.map(({ resource }) => resource.id);
    gone = new Set(
      without(
        resources.map(({ id }) => id),
        leftIds,
      ),
    );
    // A person, or the failure of the run, learns only of what still exists.
    step.set(step.state, { resources: left.map(({ resource }) => resource) });
    return left;
  });
}

interface Removal {
  place: Place;
  made: MadeResources & { listed: InstanceView[] };
  /** Ids of what the API says that it has deleted: one look without them is enough. */
  proven: Set<string>;
  unblock: Unblock;
}

/** One pass: deletes everything, and waits for the tasks. Returns what still existed. */
async function removeOnce(
  run: MakerRun,
  step: StepRecorder,
  removal: Removal,
): Promise<LeftResource[]> {
  const instances = await deleteInstances(run, step, removal);
  const { proven } = removal;
  const left = await leftAfter(run, step, {
    started: instances,
    expect: TaskType.deleteVm,
    proven,
  });
  const rest = await deleteRest(run, { ...removal, stays: refusedOf(instances) });
  return [
    ...left,
    ...(await leftAfter(run, step, { started: rest, expect: TaskType.deleteVolume, proven })),
  ];
}

/** Ids of those that stay. Somebody may use them: they keep what they have. */
function refusedOf(started: readonly StartedDelete[]): string[] {
  return started.flatMap(({ resource, refusal }) => (refusal === undefined ? [] : [resource.id]));
}

interface Rest extends Removal {
  stays: readonly string[];
}

interface StartedDelete {
  resource: Resource;
  removal: TriedRemoval;
  /** Ids of what is deleted with it. */
  takes?: readonly string[];
  /** Why no delete was sent. */
  refusal?: string;
}

type Deletes = Pick<Removal, 'proven'> & { started: readonly StartedDelete[]; expect: TaskType };

/** Waits for the tasks of the deletes. Only a look shows that something is gone. */
async function leftAfter(
  run: MakerRun,
  step: StepRecorder,
  { started, expect, proven }: Deletes,
): Promise<LeftResource[]> {
  const taskIds = started.flatMap(({ removal }) => removal.taskIds);
  const tasks = await waitForTasks(run, taskIds, { step, expect });
  return started.map(({ resource, removal, takes = [], refusal }) => {
    if (refusal !== undefined) return { resource, cause: refusal };
    const own = tasks.filter(({ id }) => removal.taskIds.includes(id));
    if (isCarriedOut(removal, own)) for (const id of [resource.id, ...takes]) proven.add(id);
    return leftBehind(resource, removal, tasks);
  });
}

/** What the run knows by its id, unless it is gone for sure. */
function findKnown<T>(
  run: MakerRun,
  { place, proven }: Pick<Removal, 'place' | 'proven'>,
  { kind, id, look }: KnownPart & { look: () => Promise<T | undefined> },
): Promise<FoundOrGone<Seen<T>>> {
  return findUnlessGone(run, {
    name: `${kind} ${id}`,
    isDeleted: proven.has(id),
    isListed: () => run.api.reads.isPartListed({ ...place, kind, id }),
    async look() {
      const { state, ...rest } = await lookUnpaused(run, look);
      return state === undefined ? undefined : { ...rest, state };
    },
  });
}

async function deleteInstances(
  run: MakerRun,
  step: StepRecorder,
  removal: Removal,
): Promise<StartedDelete[]> {
  const started: StartedDelete[] = [];
  for (const instanceId of removal.made.instanceIds) {
    const deletion = await deleteOneInstance(run, step, { ...removal, instanceId });
    if (deletion !== undefined) started.push(deletion);
  }
  return started;
}

/** `undefined` when it is gone. */
async function deleteOneInstance(
  run: MakerRun,
  step: StepRecorder,
  { instanceId, ...removal }: Removal & { instanceId: string },
): Promise<StartedDelete | undefined> {
  const { place, made, unblock } = removal;
  const resource = { kind: ResourceKind.instance, id: instanceId };
  const look = () => orUndefinedIfGone(run.api.reads.getInstance({ ...place, instanceId }));
  for (;;) {
    const found = await findKnown(run, removal, { ...resource, look });
    if (found.kind === 'gone') return undefined;
    const { state: instance, at } = found.seen;
    const refusal = foreignBoundVolume(instance, made);
    if (refusal !== undefined) return { resource, removal: { taskIds: [] }, refusal };
    // While the lock task runs, the API refuses every change.
    if (await waitForLock(run, step, instance)) continue;
    // Names no floating IP: the API refuses the call when one is no longer attached.
    const volumeIds = common(instance.volumeIds, made.volumeIds);
    const { boundVolumeIds } = instance;
    const send = (within: Within): Promise<StartedRemoval> =>
      run.api.deletes.undoInstance(within, { ...place, instanceId, volumeIds, boundVolumeIds });
    const started = await attemptDelete(run, { unblock, seenAt: at, send });
    return { resource, removal: started, takes: started.takes ?? volumeIds };
  }
}

/** The API deletes a volume with `delete_on_termination` together with its instance, whoever made it. */
function foreignBoundVolume(
  { boundVolumeIds = [] }: InstanceView,
  made: MadeResources,
): string | undefined {
  const [foreign] = without(boundVolumeIds, made.volumeIds);
  return foreign && `its delete would take volume ${foreign}, which the run did not make`;
}

type KnownPart = Pick<OnePart, 'kind' | 'id'>;

/** A volume or a floating IP. */
interface Part extends KnownPart {
  /** Why it may not be deleted, if others use it. `undefined` when it does not show. */
  look(): Promise<{ refusal: string | undefined } | undefined>;
  send(within: Within): Promise<StartedRemoval>;
}

/** Deletes what did not go with its instance, unless others use it. */
async function deleteRest(run: MakerRun, removal: Rest): Promise<StartedDelete[]> {
  const { unblock } = removal;
  const started: StartedDelete[] = [];
  for (const part of partsOf(run, removal)) {
    const { kind, id } = part;
    const resource = { kind, id };
    const found = await findKnown(run, removal, { ...resource, look: () => part.look() });
    if (found.kind === 'gone') continue;
    const { state, at } = found.seen;
    const send = (within: Within) => part.send(within);
    started.push(
      state.refusal === undefined
        ? { resource, removal: await attemptDelete(run, { unblock, seenAt: at, send }) }
        : { resource, removal: { taskIds: [] }, refusal: state.refusal },
    );
  }
  return started;
}

function attachedTo(holder: string | undefined): string | undefined {
  return holder && `somebody has attached it to ${holder}`;
}

function staysWith(stays: readonly string[], holders: readonly string[] = []): string | undefined {
  const [holder] = common(holders, stays);
  return holder && `instance ${holder} has it, and stays`;
}

function refusalOfVolume(seen: VolumeView, instanceIds: readonly string[]): string | undefined {
  const taken = seen.snapshotId && `somebody has taken the snapshot ${seen.snapshotId} of it`;
  return attachedTo(otherHolderOfVolume(seen, instanceIds)) ?? taken;
}

function refusalOfFloatingIp(
  seen: FloatingIpView,
  instanceIds: readonly string[],
): string | undefined {
  return attachedTo(otherHolderOfFloatingIp(seen, { instanceIds }));
}

function partsOf({ api: { reads, deletes } }: MakerRun, { place, made, stays }: Rest): Part[] {
  const { instanceIds } = made;
  const volumes = made.volumeIds.map((id) => ({
    kind: ResourceKind.volume,
    id,
    async look() {
      const seen = await orUndefinedIfGone(reads.getUsedVolume({ ...place, id }));
      if (seen === undefined) return undefined;
      const refusal = staysWith(stays, seen.attachedTo) ?? refusalOfVolume(seen, instanceIds);
      return { refusal };
    },
    send: (within: Within) =>
      deletes.deleteVolume(within, { ...place, volumeId: id, unlessSnapshots: true }),
  }));
  const floatingIps = made.floatingIpIds.map((id) => ({
    kind: ResourceKind.floatingIp,
    id,
    async look() {
      const seen = await orUndefinedIfGone(reads.getFloatingIp({ ...place, id }));
      if (seen === undefined) return undefined;
      const holders = seen.instanceId === undefined ? [] : [seen.instanceId];
      return { refusal: staysWith(stays, holders) ?? refusalOfFloatingIp(seen, instanceIds) };
    },
    send: (within: Within) => deletes.deleteFloatingIp(within, { ...place, floatingIpId: id }),
  }));
  return [...volumes, ...floatingIps];
}
