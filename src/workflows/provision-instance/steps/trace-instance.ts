import type { CreateTaskView } from '../../../activities/create-tasks.js';
import type { InstanceView } from '../../../activities/instances.js';
import { isoOf } from '../../../engine/core/times.js';
import { orUndefinedIfGone } from '../../../engine/run/failures.js';
import type { MakerRun } from '../../gcore.js';
import type { SendWindow, Trace } from '../../../engine/send/mutation.js';
import { traceOfRest } from '../../../engine/steps/making.js';
import type { Verdict } from '../../../engine/send/verdict.js';
import type { Target } from '../targets.js';

/** With more candidates, one list call rules out most of them. */
const MAX_SINGLE_LOOKS = 3;

/**
 * Looks for a lost create call in the list of tasks, which may show it while the lists of instances lag.
 * The name of a task proves nothing. Only the marker on the instance that it made decides, so a running
 * task has to be waited for. Where a task repeats the tags of its call, they decide.
 */
export function createInstanceTrace(
  run: MakerRun,
  { place, body }: Target,
  judge: (found: readonly InstanceView[]) => Promise<Verdict<InstanceView>>,
): (sent: SendWindow) => Promise<Trace<InstanceView>> {
  const { marker, maker } = run.prepared;
  const api = run.api.reads;
  /** Instances that are known to belong to somebody else. */
  const foreign = new Set<string>();
  const unclear = new Set<string>();
  return async ({ from, to, isEarlier }) => {
    const tasks = await api.listCreateTasks({
      ...place,
      name: body.name,
      from: isoOf(from),
      to: isoOf(to),
      marker,
      maker,
    });
    const own = isEarlier !== true ? ownTasks(run, from, tasks) : [];
    if (own.length === 1) return { kind: 'task', taskIds: own.map(({ id }) => id) };
    const made = tasks.flatMap((task) => task.created.instances.map((id) => ({ id, task })));
    const ids = made.map(({ id }) => id).filter((id) => !foreign.has(id));
    if (ids.length > MAX_SINGLE_LOOKS) {
      const found = await api.listForeignInstances({ ...place, marker, ids });
      found.forEach((id) => foreign.add(id));
    }
    const unseen = new Set<string>();
    for (const { id, task } of made.filter((candidate) => !foreign.has(candidate.id))) {
      const instance = await orUndefinedIfGone(api.getInstance({ ...place, instanceId: id }));
      if (instance?.marker !== marker) {
        // One that is not found may be so in this answer only.
        (instance === undefined ? unseen : foreign).add(id);
        continue;
      }
      const verdict = await judge([instance]);
      if (verdict.kind === 'contradiction') return verdict;
      if (verdict.kind !== 'absent') return { ...verdict, taskIds: [task.id] };
    }
    const all = tasks.map(({ created, ...task }) => ({ ...task, created: created.instances }));
    return traceOfRest(unclear, all, unseen);
  };
}

/** When the first call was sent whose answer a run has lost. */
const firstLost = new WeakMap<MakerRun, number>();

/** From a second lost call on, a task may be that of the first one, which showed late. */
function isFirstLost(run: MakerRun, from: number): boolean {
  const first = firstLost.get(run) ?? from;
  firstLost.set(run, first);
  return first === from;
}

function ownTasks(
  run: MakerRun,
  from: number,
  tasks: readonly CreateTaskView[],
): readonly CreateTaskView[] {
  if (!isFirstLost(run, from)) return [];
  return tasks.filter(({ id, isOfRun }) => isOfRun === true && !run.tasks.has(id));
}
