import type { InstanceView } from '../../../activities/instances.js';
import type { PreparedProvisionInstance } from '../../../contract/prepared/provision-instance.js';
import type { Place } from '../../../contract/place.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import { FailureType, withoutAdvice } from '../../../contract/failures.js';
import { StepState } from '../../../contract/status.js';
import { classifyTaskError } from '../../../contract/task-error.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import { detailsOf, failure, failureOf, failureTypeOf } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run, TaskOutcome } from '../../engine/run/run-types.js';
import type { Sent } from '../../engine/send/mutation.js';
import { sendOnce } from '../../engine/send/send-once.js';
import { restartOnCorrectedInput } from '../../engine/run/restart-on-corrected-input.js';
import { waitForTasks } from '../../engine/wait/wait-for-tasks.js';
import { identifyInstance } from './identify-instance.js';
import { judgeInstances } from './judge-instances.js';
import { findAllMade, findMade, toResources, type Request } from './made-resources.js';
import { removeInstance } from './remove-instance.js';
import { nameOf, targetsOf, type Target } from '../targets.js';
import type { CreateMutation } from './create-mutation.js';
import { createInstanceTrace } from './trace-instance.js';

export interface CreatedInstance {
  instanceId: string;
  place: Place;
  taskIds: string[];
  /** It was there before this run: a repeat of a request whose first run is forgotten. */
  adopted: boolean;
}

type ProvisionRun = Run<PreparedProvisionInstance, { instance: CreateInstanceBody }>;

/**
 * One instance for one request: sends the create once, waits for its tasks and says what they made.
 * A broken instance of an earlier try is removed and verified as gone before anything is sent.
 * Where the API has no capacity, the caller's alternatives are tried in their order. When none of
 * them helps, and for all else that a person has to mend, the run is blocked and tries again later.
 */
export function createInstanceOnce(
  run: ProvisionRun,
  step: StepRecorder,
): Promise<CreatedInstance> {
  return restartOnCorrectedInput(run, () => parkWhileBlocked(run, () => createAtOneOf(run, step)));
}

async function createAtOneOf(run: ProvisionRun, step: StepRecorder): Promise<CreatedInstance> {
  const targets = targetsOf(run.prepared, run.input.instance);
  const mutations = targets.map((target) => createMutation(run, step, target));
  const lacks: Target[] = [];
  for (const mutation of await earlierFirst(mutations)) {
    try {
      return await createAt(run, mutation);
    } catch (error) {
      if (failureTypeOf(error) !== FailureType.capacityUnavailable) throw error;
      lacks.push(mutation.target);
      if (lacks.length === targets.length) throw noCapacity(error, lacks);
    }
  }
  throw new TypeError('a request has at least one target');
}

/** An instance of an earlier try may be in the place of an alternative: nothing is sent before that is known. */
async function earlierFirst(mutations: readonly CreateMutation[]): Promise<CreateMutation[]> {
  const regions = new Set(mutations.map(({ target }) => target.place.regionId));
  if (regions.size <= 1) return [...mutations];
  for (const regionId of regions) {
    const there = mutations.filter(({ target }) => target.place.regionId === regionId);
    const verdict = await there[0]?.look();
    if (verdict !== undefined && verdict.kind !== 'absent') {
      return [...there, ...mutations.filter((other) => !there.includes(other))];
    }
  }
  return [...mutations];
}

async function createAt(run: ProvisionRun, mutation: CreateMutation): Promise<CreatedInstance> {
  const { step, target } = mutation;
  for (;;) {
    const sent = await sendOnce(run, mutation);
    const tasks = await waitForTasks(run, sent.taskIds, {
      step,
      expect: 'create_vm',
      mayHaveEnded: sent.origin !== 'sent',
    });
    const failed = tasks.find((task) => task.state === 'ERROR');
    if (failed === undefined) {
      const { instanceId, resources } = await identifyInstance(run, mutation, { sent, tasks });
      step.set(StepState.verified, { resources });
      const adopted = sent.origin === 'earlier';
      return { instanceId, place: target.place, taskIds: sent.taskIds, adopted };
    }
    if (sent.origin !== 'earlier') throw await taskFailed(run, mutation, { sent, failed });
    await mutation.remove(sent.taskIds);
  }
}

function createMutation(run: ProvisionRun, step: StepRecorder, target: Target): CreateMutation {
  const { marker } = run.prepared;
  const { place, body, flavors } = target;
  const { reads, mutations } = run.api;
  const label = body.name ?? body.name_template ?? 'instance';
  const request: Request = { place, wantsFloatingIps: wantsFloatingIps(body) };
  return {
    step,
    input: run.input,
    target,
    look: async () => {
      const options = { summary: `look for ${label} of an earlier try` };
      const args: Parameters<typeof reads.listInstances> = [{ ...place, marker }];
      const found = await reads.listInstances.executeWithOptions(options, args);
      return judgeInstances(found, flavors);
    },
    send: () =>
      mutations.createInstance.executeWithOptions({ summary: `create ${label}` }, [
        { ...place, marker, instance: body },
      ]),
    trace: createInstanceTrace(run, target),
    remove: (taskIds) => removeInstance(run, request, { step, taskIds }),
    seen: async (taskIds) => toResources(await findMade(run, request, taskIds)),
    inventory: async (taskIds) => {
      await untilEnded(run, step, taskIds);
      return toResources(await findAllMade(run, request, taskIds));
    },
  };
}

/** What a task makes is complete only when it has ended; one that takes far too long is not waited for. */
async function untilEnded(run: Run, step: StepRecorder, taskIds: readonly string[]): Promise<void> {
  try {
    await waitForTasks(run, taskIds, { step, expect: 'create_vm' });
  } catch (error) {
    if (failureTypeOf(error) !== FailureType.deadlineExceeded) throw error;
  }
}

function wantsFloatingIps({ interfaces }: CreateInstanceBody): boolean {
  return interfaces.some((item) => item.type !== 'external' && item.floating_ip?.source === 'new');
}

/**
 * A task in ERROR may leave things behind, whatever the guide says: look, do not assume; a rollback
 * looks for longer. When the request is to be tried again, they are removed first: they would be
 * paid for meanwhile.
 */
async function taskFailed(
  run: ProvisionRun,
  mutation: CreateMutation,
  { sent, failed }: { sent: Sent<InstanceView>; failed: TaskOutcome },
): Promise<Error> {
  const { step } = mutation;
  const said = failed.error ?? 'no reason given';
  const type = classifyTaskError(said);
  step.set(StepState.failed, { resources: await mutation.seen(sent.taskIds), note: said });
  const { onBlocked, alternatives = [] } = run.prepared;
  const isTriedAgain = onBlocked === 'wait' || alternatives.length > 0;
  if (type !== FailureType.taskFailed && isTriedAgain) {
    await mutation.remove(sent.taskIds);
    step.set(StepState.failed, { resources: [], note: said });
  }
  return failure(type, `Task ${failed.id} ended in ERROR: ${said}.`, {
    taskId: failed.id,
    advice: TASK_ADVICE[type],
  });
}

const TASK_ADVICE = {
  [FailureType.quotaExceeded]: 'Ask for a higher quota or delete what is not needed.',
  [FailureType.capacityUnavailable]: 'Choose another flavor or region, or try again later.',
  [FailureType.taskFailed]:
    'If the text names no cause you can mend, ask the support of the API with the task id; then start again under the same request id.',
} as const;

/** The last refusal, with all that was tried. */
function noCapacity(error: unknown, tried: readonly Target[]): unknown {
  if (tried.length <= 1) return error;
  const said = failureOf(error)?.message ?? '';
  const names = tried.map(nameOf).join(', ');
  const { advice, ...details } = detailsOf(error);
  return failure(
    FailureType.capacityUnavailable,
    `No capacity for any of: ${names}. The last answer: ${withoutAdvice(said, advice)}`,
    { ...details, advice: 'Choose another flavor or region, or try again later.' },
  );
}
