import type { ActionTaskView, TaskSubject } from '../../activities/action-tasks.js';
import type { PreparedPlacedChange } from '../../contract/wire/prepared.js';
import { paths } from '../../contract/wire/paths.js';
import type { Place } from '../../contract/wire/names.js';
import type { ActionTask } from '../../contract/wire/tasks.js';
import { isTerminal } from '../../engine/core/tasks.js';
import { StepState } from '../../engine/core/status.js';
import { firstOf } from '../../engine/core/text.js';
import { isoOf } from '../../engine/core/times.js';
import { orUndefinedIfGone } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { PlannedCall } from '../../engine/schema/documents.js';
import type { Trace } from '../../engine/send/mutation.js';
import type { AfterTask, Asked, ChangeStep, ChangeTasks, PlanReads, Run } from '../gcore.js';
import { explainMissingPlace } from './plan/plan-parts.js';
import { waitForLock } from './wait-for-lock.js';
import { taskFailure } from './task-failure.js';

/** What every read of a resource shows of it. */
interface Shown {
  status: string;
  /** The task that locks it: until that ends, the API refuses changes. */
  lockTaskId?: string | undefined;
}

export type Target = Place & { id: string };

/** A kind of resource: how it is named, found and read. */
export interface Subject<I, T extends Shown> {
  kind: TaskSubject['kind'];
  /** What runs that change it take turns at. */
  resource(id: string): string;
  /** The field of the input that names it. */
  field: string;
  /** The API writes ids in lower case. */
  idOf(input: I): string;
  path(place: Place, id: string): string;
  listPath(place: Place): string;
  /** Fails as `NotFound` when it does not exist. */
  read(asked: Asked<I>, target: Target): Promise<T>;
  /** The same read, by a watcher. */
  after(target: Target, input: I): AfterTask<T>;
  /** Whether the list of its kind has it. Fails as `NotFound` when the place does not exist. */
  isListed(reads: PlanReads, target: Target): Promise<boolean>;
  /** The part without which an answer does not count, such as the ports of an instance. Left out where there is none. */
  part?: {
    isIn(seen: T): boolean;
    isListed(asked: Asked<I>, place: Place): Promise<boolean | undefined>;
  };
  /** Fails as `NotFound` when the place does not exist. */
  list(reads: PlanReads, place: Place): Promise<unknown>;
}

interface CallTasks<T> extends Pick<Evidence, 'hasNoState'> {
  type: ActionTask;
  read: () => Promise<T>;
}

function tasksOf<I, T extends Shown>(
  subject: Subject<I, T>,
  asked: Asked<I>,
  { type, hasNoState, read }: CallTasks<T>,
): ChangeTasks<T> {
  const { kind } = subject;
  return {
    type,
    after: subject.after(targetOf(subject, asked), asked.input),
    async before() {
      const now = isoOf(Date.now());
      const tasks = await listTasks(subject, asked, { from: now, to: now, type });
      return tasks.map(({ id }) => id);
    },
    async trace(sent, isKnown) {
      const window = { from: isoOf(sent.from), to: isoOf(sent.to) };
      const listed = await listTasks(subject, asked, { ...window, type });
      // The window is wider than the time of the call, because clocks differ.
      const tasks = listed.filter(({ id }) => !isKnown(id));
      // A task that names no resource is told by its lock.
      const needsLock = tasks.some((task) => task.isOwn !== true && !isTerminal(task.state));
      const lock = needsLock ? (await read()).lockTaskId : undefined;
      return judgeTasks(tasks, { kind, lock, hasNoState, isEarlier: sent.isEarlier === true });
    },
    toFailure: (task, { status }) =>
      taskFailure(task, { shown: `The ${kind} is ${status}.` }).error,
  };
}

/** What differs between two changes of one kind of resource. */
export type Stated<I, T extends Shown> = Pick<
  ChangeStep<I, PreparedPlacedChange, T>,
  'name' | 'drift' | 'faults' | 'check' | 'send' | 'says' | 'irreversible'
> & {
  starts: (input: I) => ActionTask;
  call: (target: Target) => Pick<PlannedCall, 'path' | 'purpose'> & { method?: 'PATCH' };
  /** Other resources that the change works on, such as `instance/4f…`. */
  worksOn?: (input: I) => readonly string[];
  /** The instances that the change needs too: what locks one of them turns the call away. */
  instances?: (seen: T, input: I) => readonly string[];
  /** The call rests on where the resource is: none is sent while a task may change that. */
  isConditional?: (input: I) => boolean;
  /** Nothing about the resource shows afterwards that the call was carried out. */
  leavesNoTrace?: (input: I) => boolean;
};

/** A step that changes a resource: how it is found, read and waited for is the same for each of its kind. */
export function resourceChange<I, T extends Shown>(
  subject: Subject<I, T>,
  {
    call,
    starts,
    worksOn = () => [],
    instances = () => [],
    leavesNoTrace = () => false,
    isConditional = () => false,
    ...stated
  }: Stated<I, T>,
): ChangeStep<I, PreparedPlacedChange, T> {
  const { kind } = subject;
  const read = (asked: Asked<I>): Promise<T> => {
    return subject.read(asked, targetOf(subject, asked));
  };
  return {
    ...stated,
    resources: (asked) => [subject.resource(subject.idOf(asked.input)), ...worksOn(asked.input)],
    read,
    isWhole: (seen) => subject.part?.isIn(seen) ?? true,
    isListed: (asked, seen) => isListed(subject, asked, seen),
    rests: ({ status }) => (BETWEEN.test(status) ? undefined : status),
    untilOthersEnd: async (run, recorder, seen) =>
      isConditional(run.input) && untilUnlocked(run, recorder, seen),
    async held(seen, asked) {
      const own = lockOf(kind, seen);
      if (own !== undefined) return own;
      const { projectId, regionId } = asked.prepared;
      for (const instanceId of instances(seen, asked.input)) {
        const place = { projectId, regionId, instanceId };
        const instance = await orUndefinedIfGone(asked.reads.getInstance(place));
        const lock = instance && lockOf('instance', instance);
        if (lock !== undefined) return lock;
      }
      return undefined;
    },
    tasks: (asked) =>
      tasksOf(subject, asked, {
        type: starts(asked.input),
        hasNoState: leavesNoTrace(asked.input),
        read: () => read(asked),
      }),
    calls(asked) {
      const target = targetOf(subject, asked);
      const path = subject.path(target, target.id);
      return {
        read: { method: 'GET', path, purpose: `read the ${kind}` },
        change: [
          { method: 'POST', ...call(target) },
          { method: 'GET', path: paths.task('{task_id}'), purpose: 'wait for the task' },
          { method: 'GET', path, purpose: `look until the ${kind} shows it` },
        ],
      };
    },
    async explainMissing(asked, draft) {
      const { id, ...place } = targetOf(subject, asked);
      // An unknown place has none either.
      const list = () => subject.list(asked.reads, place);
      if ((await draft.look(`the ${kind}s`, list)).is === 'missing') {
        await explainMissingPlace(asked.reads, draft, { place, regionPath: 'regionId' });
      } else {
        draft.fault({
          path: subject.field,
          message: `There is no ${kind} ${id}`,
          advice: `Check the id: GET ${subject.listPath(place)} lists them.`,
        });
      }
    },
  };
}

async function untilUnlocked(run: Run, recorder: StepRecorder, seen: Shown): Promise<boolean> {
  const hasWaited = await waitForLock(run, recorder, seen);
  // That task is not of this run.
  if (hasWaited) recorder.set(StepState.planned, { taskIds: [] });
  return hasWaited;
}

/** Whether a list shows the resource, or the part that was not seen of it. An unknown place has no list either. */
async function isListed<I, T extends Shown>(
  subject: Subject<I, T>,
  asked: Asked<I>,
  seen: T | undefined,
): Promise<boolean | undefined> {
  const target = targetOf(subject, asked);
  if (seen !== undefined) return subject.part?.isListed(asked, target);
  return (await orUndefinedIfGone(subject.isListed(asked.reads, target))) ?? false;
}

/** What holds a resource for a while, in words. */
export function lockOf(kind: string, { status, lockTaskId }: Shown): string | undefined {
  if (lockTaskId !== undefined) return `task ${lockTaskId} locks the ${kind}`;
  return BETWEEN.test(status) ? `the ${kind} is ${status}` : undefined;
}

/** Something is at work: `attaching`, `extending`. */
const BETWEEN =
  /ing$|^(?:BUILD|REBUILD|REBOOT|HARD_REBOOT|RESIZE|VERIFY_RESIZE|REVERT_RESIZE|PASSWORD)$/i;

function targetOf<I, T extends Shown>(
  subject: Subject<I, T>,
  { input, prepared: { projectId, regionId } }: Pick<Asked<I>, 'input' | 'prepared'>,
): Target {
  return { projectId, regionId, id: subject.idOf(input) };
}

function listTasks<I, T extends Shown>(
  subject: Subject<I, T>,
  asked: Asked<I>,
  window: { from: string; to: string; type: ActionTask },
): Promise<ActionTaskView[]> {
  const { id, ...place } = targetOf(subject, asked);
  return asked.reads.listActionTasks({ ...place, ...window, of: { kind: subject.kind, id } });
}

interface Evidence {
  kind: TaskSubject['kind'];
  hasNoState: boolean;
  /** The task that holds the lock of the resource. */
  lock: string | undefined;
  /** The call is of an earlier run: what has ended and shows in the state was seen by that. */
  isEarlier: boolean;
}

/** What the tasks of the time of a lost call say about it. */
export function judgeTasks(
  tasks: readonly ActionTaskView[],
  { kind, lock, hasNoState, isEarlier }: Evidence,
): Trace<never> {
  const isOpen = ({ state }: ActionTaskView): boolean => !isTerminal(state);
  const own = tasks.filter(({ id, isOwn }) => isOwn === true || id === lock);
  const isDone = ({ state }: ActionTaskView): boolean => state === 'FINISHED';
  const counts = (task: ActionTaskView): boolean =>
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
    ? { kind: 'contradiction', note: describeUnclear(mayBeDone), advice: adviceFor(kind) }
    : { kind: 'none' };
}

const MAX_NAMED = 3;

function describeUnclear(ids: readonly string[]): string {
  return `It is not known whether these tasks are of the call whose answer was lost: ${firstOf(ids, MAX_NAMED)}`;
}

function adviceFor(kind: TaskSubject['kind']): string {
  return `Find out whether it was done to the ${kind}. \`resume\` sends the call again, and \`abort\` ends the run.`;
}
