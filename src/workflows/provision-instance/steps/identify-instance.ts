import type { InstanceView } from '../../../activities/instances.js';
import { FailureType } from '../../../engine/core/failures.js';
import { ResourceKind } from '../../../contract/wire/names.js';
import { common, without } from '../../../engine/core/lists.js';
import type { Resource } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { failure } from '../../../engine/run/failures.js';
import { lastWriteOf } from '../../../engine/wait/wait-until.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import type { MakerRun, TaskOutcome } from '../../gcore.js';
import type { Sent } from '../../../engine/send/mutation.js';
import { askedOf, broughtVolumeIds, isBrought, type CreateMutation } from './create-request.js';
import { toResources } from './made-resources.js';
import { markedSearch } from './ownership.js';

export interface Created {
  sent: Sent<InstanceView>;
  tasks: readonly TaskOutcome[];
}

/**
 * Finds the instance that an accepted create made, and what belongs to it: by its task, otherwise by the
 * marker within the grace time. When neither shows it, the run blocks. It looks again from time to time,
 * and never sends an accepted call again.
 */
export async function identifyInstance(
  run: MakerRun,
  mutation: CreateMutation,
  { sent, tasks }: Created,
): Promise<{ instanceId: string; resources: Resource[] }> {
  const { step } = mutation;
  const madeBy = (found: InstanceView | undefined): Resource[] =>
    resourcesOf(tasks, found).filter(({ id }) => !isBrought(mutation.target.body, id));
  const resources = madeBy(sent.resource);
  step.set(step.state, { resources });
  const named = sent.resource
    ? [sent.resource.id]
    : tasks.flatMap((task) => task.created?.instances ?? []);
  const [id, another] = named;
  const isNamed = id !== undefined && another === undefined;
  if (isNamed && tasks.every((task) => task.state === 'FINISHED')) {
    return { instanceId: id, resources: await withUnnamed(run, mutation, { sent, resources }) };
  }
  const resource = await parkWhileBlocked(run, () => lookForInstance(run, mutation, sent));
  const found = { sent, resources: madeBy(resource) };
  return { instanceId: resource.id, resources: await withUnnamed(run, mutation, found) };
}

/**
 * Adds what the tasks do not name: floating IPs carry no tags, and a task may name nothing. Looks until all shows that the call has
 * asked for, or the lists have settled.
 */
async function withUnnamed(
  run: MakerRun,
  mutation: CreateMutation,
  { sent, resources }: { sent: Sent<InstanceView>; resources: Resource[] },
): Promise<Resource[]> {
  const asked = askedOf(mutation.target.body);
  const count = (all: readonly Resource[], of: string) =>
    all.filter(({ kind }) => kind === of).length;
  const isWhole = (all: readonly Resource[]): boolean =>
    count(all, ResourceKind.volume) >= asked.volumes &&
    count(all, ResourceKind.floatingIp) >= asked.floatingIps;
  if (isWhole(resources)) return unique(resources);
  // Lists have shown what an earlier run has made for a long time, and somebody may have removed a part since.
  const isOld = sent.origin === 'earlier';
  const known = isOld
    ? [...resources, ...(await listAttached(run, mutation, sent.resource))]
    : resources;
  if (isWhole(known)) return unique(known);
  const until = isOld ? Date.now() : Date.now() + run.prepared.policy.reconcileGraceMs;
  return lookUntilGraceEnds(run, { name: 'the parts of the instance', until }, async (isLate) => {
    const made = await mutation.listMade(sent.taskIds, isOld ? 'request' : undefined);
    const all = unique([...known, ...made]);
    return isLate || isWhole(all) ? all : undefined;
  });
}

/** The volumes of an instance that the request has made: others may have attached theirs since. */
async function listAttached(
  { api, prepared }: MakerRun,
  { target }: CreateMutation,
  { volumeIds }: InstanceView,
): Promise<Resource[]> {
  const brought = broughtVolumeIds(target.body);
  const marked = await api.reads.listVolumes({ ...target.place, ...markedSearch(prepared) });
  const made = without(common(volumeIds, marked), brought);
  return made.map((id) => ({ kind: ResourceKind.volume, id }));
}

/** For a task that the API has forgotten, or that does not name exactly one instance. Lists lag. */
function lookForInstance(
  run: MakerRun,
  mutation: CreateMutation,
  { taskIds }: Sent<InstanceView>,
): Promise<InstanceView> {
  const ends = taskIds.map((id) => lastWriteOf(run.tasks.get(id) ?? { since: 0 }));
  const until = Math.max(...ends) + run.prepared.policy.reconcileGraceMs;
  return lookUntilGraceEnds(run, { name: 'the created instance', until }, async (isLate) => {
    const verdict = await mutation.look();
    if (verdict.kind === 'present') return verdict.resource;
    // A status may be wrong in one answer.
    if (verdict.kind === 'leftover' && isLate) {
      throw failure(FailureType.taskFailed, `The create call left ${verdict.note}.`, {
        advice: 'Start again under the same request id.',
      });
    }
    if (isLate || verdict.kind === 'contradiction') throw notFoundFailure(run, taskIds);
    return undefined;
  });
}

function notFoundFailure({ prepared }: MakerRun, taskIds: readonly string[]): Error {
  return failure(
    FailureType.outcomeUnknown,
    `The API accepted the create call and its tasks (${taskIds.join(', ')}) ended, but not exactly one instance carries the marker ${prepared.marker}.`,
    {
      advice:
        'Look at the tasks and at the instances of the project. If nothing was made, `abort` this run and start the same request again; otherwise `resume` looks again.',
    },
  );
}

/** What the tasks name, and the instance that was found. What is attached to it, others may have attached. */
export function resourcesOf(
  tasks: readonly TaskOutcome[],
  found: Pick<InstanceView, 'id'> | undefined,
): Resource[] {
  const created = tasks.flatMap((task) => task.created ?? []);
  return toResources({
    instanceIds: [...created.flatMap((made) => made.instances), ...(found ? [found.id] : [])],
    volumeIds: created.flatMap((made) => made.volumes),
    floatingIpIds: created.flatMap((made) => made.floatingIps),
  });
}

function unique(resources: readonly Resource[]): Resource[] {
  return [...new Map(resources.map((resource) => [resource.id, resource])).values()];
}
