import type { InstanceView } from '../../../activities/instances.js';
import type { PreparedProvisionInstance } from '../../../contract/wire/prepared.js';
import type { Place } from '../../../contract/wire/names.js';
import { StepState, type Resource } from '../../../engine/core/status.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import { FailureType, withoutAdvice } from '../../../engine/core/failures.js';
import { TaskType } from '../../../contract/wire/tasks.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import {
  detailsOf,
  failure,
  failureOf,
  failureTypeOf,
  toFailureText,
} from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run, TaskOutcome } from '../../gcore.js';
import type { Sent } from '../../../engine/send/mutation.js';
import { nameEarlier } from '../../../engine/send/name-earlier.js';
import { lookForEarlier } from '../../../engine/send/reconcile.js';
import { sendOnce } from '../../../engine/send/send-once.js';
import { restartOnCorrectedInput } from '../../../engine/run/restart-on-corrected-input.js';
import { untilTasksEnd, waitForTasks } from '../../../engine/wait/wait-for-tasks.js';
import { taskFailure } from '../../shared/task-failure.js';
import { waitForLock } from '../../shared/wait-for-lock.js';
import { identifyInstance, resourcesOf } from './identify-instance.js';
import { findAllMade, findMade, toResources } from './made-resources.js';
import {
  askedOf,
  type CreateRequest,
  broughtFloatingIpIds,
  broughtVolumeIds,
  type CreateMutation,
} from './create-request.js';
import { judgeFound, markedSearch, noLeftovers, noteLeftover } from './ownership.js';
import { refuseCredentials } from './refuse-credentials.js';
import { removeInstance } from './remove-instance.js';
import { firstOfRegions, nameOf, targetsOf, type Target } from '../targets.js';
import { createInstanceTrace } from './trace-instance.js';

export interface CreatedInstance {
  instanceId: string;
  place: Place;
  taskIds: string[];
  /** It existed before this run: the request is repeated, and its first run is forgotten. */
  adopted: boolean;
  /** The instance as it was read after its task had finished. */
  seen?: InstanceView | undefined;
}

type ProvisionRun = Run<PreparedProvisionInstance, { instance: CreateInstanceBody }>;

/**
 * Makes one instance for one request: sends the create once, waits for its tasks and says what they
 * made. Removes a broken instance of an earlier try, and verifies that it is gone, before sending
 * anything. Without capacity it tries the caller's alternatives in their order. When none helps, and on
 * every other problem that needs a person, the run blocks and tries again later.
 */
export async function createInstanceOnce(
  run: ProvisionRun,
  stepName: string,
): Promise<CreatedInstance> {
  const step = run.ledger.step(stepName);
  nameEarlier(run, step, () =>
    firstsOf(
      targetsOf(run.prepared, run.input.instance).map((to) => createMutation(run, step, to)),
    ),
  );
  await run.begin(stepName);
  return restartOnCorrectedInput(run, () =>
    parkWhileBlocked(run, (unblocking) => createAtOneOf(run, unblocking(step))),
  );
}

async function createAtOneOf(run: ProvisionRun, step: StepRecorder): Promise<CreatedInstance> {
  const targets = targetsOf(run.prepared, run.input.instance);
  const mutations = targets.map((target) => createMutation(run, step, target));
  const full: Target[] = [];
  for (const mutation of await earlierFirst(run, mutations)) {
    try {
      return await createAt(run, mutation);
    } catch (error) {
      if (failureTypeOf(error) !== FailureType.capacityUnavailable) throw error;
      full.push(mutation.target);
      if (full.length === targets.length) throw noCapacityFailure(error, full);
    }
  }
  throw new TypeError('a request has at least one target');
}

/**
 * Finds the region of an instance of an earlier try before anything is sent, and puts it first. As everywhere, what one look
 * does not find is looked for again, and after a run that was cut short through the grace time.
 */
async function earlierFirst(
  run: ProvisionRun,
  mutations: readonly CreateMutation[],
): Promise<CreateMutation[]> {
  const firsts = firstsOf(mutations);
  if (firsts.length <= 1) return [...mutations];
  const regionId = await earlierRegion(run, firsts);
  const isThere = ({ target }: CreateMutation) => target.place.regionId === regionId;
  return [...mutations.filter(isThere), ...mutations.filter((other) => !isThere(other))];
}

/** One look covers all targets of a region. */
function firstsOf(mutations: readonly CreateMutation[]): CreateMutation[] {
  const targets = firstOfRegions(mutations.map(({ target }) => target));
  return mutations.filter(({ target }) => targets.includes(target));
}

async function earlierRegion(
  run: ProvisionRun,
  firsts: readonly CreateMutation[],
): Promise<number | undefined> {
  const verdicts = await Promise.all(firsts.map((first) => lookForEarlier(run, first)));
  const found = firsts.find((_, index) => verdicts[index]?.kind !== 'absent');
  return found?.target.place.regionId;
}

async function createAt(run: ProvisionRun, mutation: CreateMutation): Promise<CreatedInstance> {
  const { step, target } = mutation;
  await refuseCredentials(run, step, target);
  for (;;) {
    const sent = await sendOnce(run, mutation);
    if (sent.origin === 'earlier' && (await hasChanged(run, step, sent.resource))) continue;
    const tasks = await waitForTasks(run, sent.taskIds, {
      step,
      expect: TaskType.createVm,
      mayHaveEnded: sent.origin !== 'sent',
      thenRead: { instanceIn: target.place },
    });
    const seen = tasks[0]?.seen?.instance;
    const failed = tasks.find((task) => task.state === 'ERROR');
    if (failed === undefined) {
      const { instanceId, resources } = await identifyInstance(run, mutation, { sent, tasks });
      const adopted = sent.origin === 'earlier';
      const mayBeLeft = !adopted && run.prepared.cutShortAt !== undefined;
      const note = mayBeLeft ? await noteOfLeft(mutation) : undefined;
      step.set(StepState.verified, { resources, ...(note !== undefined && { note }) });
      return { instanceId, place: target.place, taskIds: sent.taskIds, adopted, seen };
    }
    if (sent.origin !== 'earlier') throw await handleFailedTask(run, mutation, { sent, failed });
    await mutation.giveUp(sent.resource);
    await mutation.remove(sent.taskIds);
  }
}

/**
 * A run that was cut short may have left volumes of an instance that it has not made, or has deleted. Whoever starts the request
 * again hears of them: they cost money, and nothing else leads to them.
 */
async function noteOfLeft(mutation: CreateMutation): Promise<string | undefined> {
  const left = await mutation.inventory([], 'earlier');
  const names = left.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  return left.length === 0
    ? undefined
    : `an earlier run has left ${names}: delete what you do not need`;
}

/**
 * Whether another task than its creation has held the instance of an earlier run, which may be its deletion: that run may have
 * been terminated while it undid its work. What is left then shows only at a new look.
 */
function hasChanged(
  run: ProvisionRun,
  step: StepRecorder,
  { lockTaskId, creatorTaskId }: InstanceView,
): Promise<boolean> {
  if (lockTaskId === creatorTaskId) return Promise.resolve(false);
  return waitForLock(run, step, { lockTaskId });
}

function createMutation(run: ProvisionRun, step: StepRecorder, target: Target): CreateMutation {
  const { marker, maker } = run.prepared;
  const { place, body, flavors } = target;
  const { reads, mutations } = run.api;
  const search = { ...place, ...markedSearch(run.prepared) };
  const label = body.name ?? body.name_template ?? 'instance';
  const leftovers = noLeftovers();
  const asked = { flavors, name: body.name, leftovers };
  const judge = (found: readonly InstanceView[]) => judgeFound(run, found, asked);
  const request: CreateRequest = {
    place,
    asked: askedOf(body),
    broughtVolumeIds: broughtVolumeIds(body),
    broughtFloatingIpIds: broughtFloatingIpIds(body),
    leftovers,
  };
  return {
    step,
    input: run.input,
    target,
    look: async () => {
      const options = { summary: `look for ${label} of an earlier try` };
      return judge(await reads.listInstances.executeWithOptions(options, [search]));
    },
    first: { read: 'listInstances', input: search, nothing: [] },
    send: (within) =>
      mutations.createInstance(
        { ...within, summary: `create ${label}` },
        { ...place, marker, maker, instance: body },
      ),
    trace: createInstanceTrace(run, target, judge),
    isMine: (instance) => instance.maker === maker,
    giveUp: async (instance) => {
      await noteLeftover(run, leftovers, instance);
      leftovers.instances.set(instance.id, instance);
    },
    remove: (taskIds) => removeInstance(run, request, { step, taskIds }),
    listMade: async (taskIds, by) =>
      toResources(await findMade(run, { ...request, ...(by && { madeBy: by }) }, taskIds)),
    // A person may have to look at all of it.
    inventory: (taskIds, by) =>
      listAllMade(run, step, { request: { ...request, madeBy: by }, taskIds }),
    named: (instance) => resourcesOf([], instance),
  };
}

async function listAllMade(
  run: ProvisionRun,
  step: StepRecorder,
  { request, taskIds }: { request: CreateRequest; taskIds: readonly string[] },
): Promise<Resource[]> {
  await untilTasksEnd(run, taskIds, { step, expect: TaskType.createVm });
  return toResources(await findAllMade(run, request, taskIds));
}

type SentByRun = Exclude<Sent<InstanceView>, { origin: 'earlier' }>;

/**
 * Makes the failure of a task in ERROR. Such a task may leave resources behind, whatever the guide says,
 * so this looks for them; a rollback looks for longer. When the request will be tried again, they are
 * removed first, because they cost money meanwhile.
 */
async function handleFailedTask(
  run: ProvisionRun,
  mutation: CreateMutation,
  { sent, failed }: { sent: SentByRun; failed: TaskOutcome },
): Promise<Error> {
  const { step } = mutation;
  const { type, reason, error } = taskFailure(failed);
  step.set(StepState.failed, { resources: await mutation.listMade(sent.taskIds), note: reason });
  const { onBlocked, alternatives = [] } = run.prepared;
  const isTriedAgain = onBlocked === 'wait' || alternatives.length > 0;
  if (type !== FailureType.taskFailed && isTriedAgain) {
    run.ledger.setFailure(toFailureText(error));
    await mutation.remove(sent.taskIds);
    run.ledger.setFailure(undefined);
    sent.noteGone();
    step.set(StepState.failed, { resources: [], note: reason });
  }
  return error;
}

/** The last refusal, with the names of all targets. */
function noCapacityFailure(error: unknown, tried: readonly Target[]): unknown {
  if (tried.length <= 1) return error;
  const message = failureOf(error)?.message ?? '';
  const names = tried.map(nameOf).join(', ');
  const { advice, ...details } = detailsOf(error);
  return failure(
    FailureType.capacityUnavailable,
    `No capacity for any of: ${names}. The last answer: ${withoutAdvice(message, advice)}`,
    { ...details, advice: 'Choose another flavor or region, or wait until there is capacity.' },
  );
}
