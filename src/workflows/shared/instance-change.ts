import type { InstanceTarget, InstanceTaskView } from '../../activities/instance-actions.js';
import type { InstanceView } from '../../activities/instances.js';
import type { PreparedPlacedChange } from '../../contract/wire/prepared.js';
import { paths } from '../../contract/wire/paths.js';
import type { InstanceActionTask } from '../../contract/wire/tasks.js';
import { instanceResource } from '../../contract/wire/names.js';
import { isTerminal } from '../../engine/core/tasks.js';
import { isoOf } from '../../engine/core/times.js';
import type { PlannedCall } from '../../engine/schema/documents.js';
import type { SendWindow, Trace } from '../../engine/send/mutation.js';
import type { Asked, ChangeStep } from '../gcore.js';
import { explainMissingPlace } from './plan/plan-parts.js';
import { taskFailure } from './task-failure.js';

/** What is asked of an instance that exists. */
interface InstanceInput {
  instanceId: string;
}

/** What differs between two changes of an instance. */
type Stated<I> = Pick<
  ChangeStep<I, PreparedPlacedChange, InstanceView>,
  'name' | 'drift' | 'check' | 'send' | 'says' | 'irreversible'
> & {
  starts: (input: I) => InstanceActionTask;
  call: (target: InstanceTarget) => Pick<PlannedCall, 'path' | 'purpose'>;
  /** Nothing about the instance shows afterwards that the call was carried out. */
  leavesNoTrace?: (input: I) => boolean;
};

/** A step that changes an instance: how it is found, read and waited for is the same for each. */
export function instanceChange<I extends InstanceInput>({
  call,
  starts,
  leavesNoTrace = () => false,
  ...stated
}: Stated<I>): ChangeStep<I, PreparedPlacedChange, InstanceView> {
  return {
    ...stated,
    resource: (asked) => instanceResource(targetOf(asked).instanceId),
    read: (asked) => asked.reads.getInstance(targetOf(asked)),
    starts: ({ input }) => starts(input),
    async tasksBefore(asked) {
      const now = isoOf(Date.now());
      const window = { from: now, to: now, type: starts(asked.input) };
      const tasks = await asked.reads.listInstanceTasks({ ...targetOf(asked), ...window });
      return tasks.map(({ id }) => id);
    },
    trace: (asked, sent, isKnown) =>
      traceAction(asked, sent, {
        type: starts(asked.input),
        hasNoState: leavesNoTrace(asked.input),
        isKnown,
      }),
    toFailure: (task, { status }) =>
      taskFailure(task, { shown: `The instance is ${status}.` }).error,
    calls(asked) {
      const target = targetOf(asked);
      const path = paths.instance(target, target.instanceId);
      return {
        read: { method: 'GET', path, purpose: 'read the instance' },
        change: [
          { method: 'POST', ...call(target) },
          { method: 'GET', path: paths.task('{task_id}'), purpose: 'wait for the task' },
          { method: 'GET', path, purpose: 'look until the instance shows it' },
        ],
      };
    },
    async explainMissing(asked, draft) {
      const { instanceId, ...place } = targetOf(asked);
      // An unknown place has no instances either.
      const list = () => asked.reads.listInstances({ ...place, marker: 'none' });
      if ((await draft.look('the instances', list)).is === 'missing') {
        await explainMissingPlace(asked.reads, draft, { place, regionPath: 'regionId' });
      } else {
        draft.fault({
          path: 'instanceId',
          message: `There is no instance ${instanceId}`,
          advice: `Check the id: GET ${paths.instances(place)} lists them.`,
        });
      }
    },
  };
}

/** The API writes ids in lower case. */
export function targetOf({
  input: { instanceId },
  prepared: { projectId, regionId },
}: Pick<Asked<InstanceInput>, 'input' | 'prepared'>): InstanceTarget {
  return { projectId, regionId, instanceId: instanceId.toLowerCase() };
}

interface Sought {
  type: InstanceActionTask;
  hasNoState: boolean;
  isKnown: (taskId: string) => boolean;
}

/** Looks among the tasks for a call whose answer was lost. A task that names no instance is told by its lock. */
async function traceAction(
  asked: Asked<InstanceInput>,
  sent: SendWindow,
  { type, hasNoState, isKnown }: Sought,
): Promise<Trace<InstanceView>> {
  const target = targetOf(asked);
  const window = { from: isoOf(sent.from), to: isoOf(sent.to) };
  const listed = await asked.reads.listInstanceTasks({ ...target, ...window, type });
  // The window is wider than the time of the call, because clocks differ.
  const tasks = listed.filter(({ id }) => !isKnown(id));
  const needsLock = tasks.some((task) => task.isOfInstance !== true && !isTerminal(task.state));
  const lock = needsLock ? (await asked.reads.getInstance(target)).lockTaskId : undefined;
  return judgeTasks(tasks, { lock, hasNoState, isEarlier: sent.graceFrom !== undefined });
}

interface Evidence extends Pick<Sought, 'hasNoState'> {
  /** The task that holds the lock of the instance. */
  lock: string | undefined;
  /** The call is of an earlier run: what has ended and shows in the state was seen by that. */
  isEarlier: boolean;
}

/** What the tasks of the time of a lost call say about it. */
export function judgeTasks(
  tasks: readonly InstanceTaskView[],
  { lock, hasNoState, isEarlier }: Evidence,
): Trace<never> {
  const isOpen = ({ state }: InstanceTaskView): boolean => !isTerminal(state);
  const own = tasks.filter(({ id, isOfInstance }) => isOfInstance === true || id === lock);
  const isDone = ({ state }: InstanceTaskView): boolean => state === 'FINISHED';
  const counts = (task: InstanceTaskView): boolean =>
    !isEarlier || isOpen(task) || (hasNoState && isDone(task) && task.mayBeOlder !== true);
  const counting = own.filter(counts);
  const sound = counting.filter(({ state }) => state !== 'ERROR');
  const taskIds = (sound.length > 0 ? sound : counting).map(({ id }) => id);
  if (taskIds.length > 0) return { kind: 'task', taskIds };
  const unclear = tasks.filter((task) => !own.includes(task));
  if (unclear.some(isOpen)) return { kind: 'pending' };
  const older = isEarlier ? own.filter((task) => task.mayBeOlder === true) : [];
  const mayBeDone = [...unclear, ...older].filter(isDone).map(({ id }) => id);
  return hasNoState && mayBeDone.length > 0
    ? { kind: 'contradiction', note: describeUnclear(mayBeDone), advice: ADVICE }
    : { kind: 'none' };
}

const MAX_NAMED = 3;

function describeUnclear(ids: readonly string[]): string {
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
  const named = `${ids.slice(0, MAX_NAMED).join(', ')}${more}`;
  return `It is not known whether these tasks are of the call whose answer was lost: ${named}`;
}

const ADVICE =
  'Find out whether the instance has restarted. `resume` sends the call again, and `abort` ends the run.';
