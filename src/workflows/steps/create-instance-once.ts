import type { InstanceView } from '../../activities/instances.js';
import type { CreateInstanceBody } from '../../contract/api/create-instance-body.js';
import { FailureType } from '../../contract/failures.js';
import { StepState } from '../../contract/status.js';
import type { Resource } from '../../contract/status-document.js';
import { failure } from '../engine/failures.js';
import type { StepRecorder } from '../engine/ledger.js';
import type { Run } from '../engine/run.js';
import { sendOnce, type Mutation, type Sent } from '../engine/send-once.js';
import { waitForTasks, type TaskOutcome } from '../engine/wait-for-tasks.js';
import { judgeInstances } from './judge-instances.js';
import { findMade, toResources } from './made-resources.js';
import { removeInstance } from './remove-instance.js';
import { createInstanceTrace } from './trace-instance.js';

export interface CreatedInstance {
  instanceId: string;
  taskIds: string[];
  /** It was there before this run: a repeat of a request whose first run is forgotten. */
  adopted: boolean;
}

/**
 * One instance for one request: sends the create once, waits for its tasks and says what they made.
 * A broken instance of an earlier try is removed and verified as gone before anything is sent.
 */
export async function createInstanceOnce(
  run: Run,
  step: StepRecorder,
  body: CreateInstanceBody,
): Promise<CreatedInstance> {
  const mutation = createMutation(run, step, body);
  for (;;) {
    const sent = await sendOnce(run, mutation);
    const tasks = await waitForTasks(run, sent.taskIds, {
      step,
      expect: 'create_vm',
      mayHaveEnded: sent.origin !== 'sent',
    });
    const failed = tasks.find((task) => task.state === 'ERROR');
    if (failed === undefined) {
      step.set(step.state, { resources: resourcesOf(tasks, sent, body) });
      const instanceId = await identify(run, mutation, { sent, tasks });
      step.set(StepState.verified);
      return { instanceId, taskIds: sent.taskIds, adopted: sent.origin === 'earlier' };
    }
    if (sent.origin !== 'earlier') {
      // A task in ERROR may leave things behind, whatever the guide says: look, do not assume.
      step.set(StepState.failed, { resources: await mutation.inventory(sent.taskIds) });
      throw taskFailed(step, failed);
    }
    await mutation.remove(sent.taskIds);
  }
}

function createMutation(
  run: Run,
  step: StepRecorder,
  instance: CreateInstanceBody,
): Mutation<InstanceView> {
  const { projectId, regionId, marker } = run.plan;
  const place = { projectId, regionId };
  const { repeatable, once } = run.api;
  const label = instance.name ?? instance.name_template ?? 'instance';
  return {
    step,
    look: async () => {
      const options = { summary: `look for ${label} of an earlier try` };
      const args: Parameters<typeof repeatable.listInstances> = [{ ...place, marker }];
      const found = await repeatable.listInstances.executeWithOptions(options, args);
      return judgeInstances(found, instance);
    },
    send: () =>
      once.createInstance.executeWithOptions({ summary: `create ${label}` }, [
        { ...place, marker, instance },
      ]),
    trace: createInstanceTrace(run, instance),
    remove: (taskIds) => removeInstance(run, step, taskIds),
    inventory: async (taskIds) => toResources(await findMade(run, taskIds)),
  };
}

/** The instance a create made: as its task says, else as the marker shows. */
async function identify(
  run: Run,
  mutation: Mutation<InstanceView>,
  { sent, tasks }: { sent: Sent<InstanceView>; tasks: readonly TaskOutcome[] },
): Promise<string> {
  const ids = sent.resource ? [sent.resource.id] : tasks.flatMap((task) => task.created.instances);
  const [id, another] = ids;
  if (id !== undefined && another === undefined) return id;
  // The task has been forgotten by the API, or names none: the marker decides.
  const verdict = await mutation.look();
  if (verdict.kind === 'present') return verdict.resource.id;
  throw failure(
    FailureType.outcomeUnknown,
    `The create call was accepted, and its tasks (${sent.taskIds.join(', ')}) ended, but no single instance carries the marker ${run.plan.marker}.`,
    { advice: 'Look at the tasks and at the instances of the project before you start again.' },
  );
}

function taskFailed(step: StepRecorder, task: TaskOutcome): Error {
  const said = task.error ?? 'no reason given';
  step.set(StepState.failed, { note: said });
  return failure(FailureType.taskFailed, `Task ${task.id} ended in ERROR: ${said}.`, {
    taskId: task.id,
    advice:
      'If the text names no cause you can mend, ask the support of the API with the task id; then start again under the same request id.',
  });
}

function resourcesOf(
  tasks: readonly TaskOutcome[],
  { resource }: Sent<InstanceView>,
  body: CreateInstanceBody,
): Resource[] {
  const created = tasks.map((task) => task.created);
  // Volumes that the caller brought along are not the run's, though they hang on its instance.
  const brought = body.volumes.flatMap((volume) =>
    volume.source === 'existing-volume' ? [volume.volume_id] : [],
  );
  const attached = (resource?.volumeIds ?? []).filter((id) => !brought.includes(id));
  return toResources({
    instanceIds: [...created.flatMap((made) => made.instances), ...(resource ? [resource.id] : [])],
    volumeIds: [...created.flatMap((made) => made.volumes), ...attached],
    floatingIpIds: created.flatMap((made) => made.floatingIps),
  });
}
