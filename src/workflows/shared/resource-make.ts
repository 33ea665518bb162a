import type { Place } from '../../contract/wire/names.js';
import type { PreparedMaker } from '../../contract/wire/prepared.js';
import { paths } from '../../contract/wire/paths.js';
import { MAKE_TASKS, REMOVE_TASKS } from '../../contract/wire/tasks.js';
import { namespaceIdOf } from '../../engine/core/identity.js';
import type { StartedRemoval } from '../../engine/core/tasks.js';
import type { Draft } from '../../engine/plan/planning.js';
import type { Within } from '../../engine/run/activity-calls.js';
import type { MadeThing } from '../../engine/steps/make-step.js';
import type { AfterTask, AskedToMake, MakeStep, PlanReads, Run } from '../gcore.js';
import { explainMissingPlace } from './plan/plan-parts.js';
import { prepareActivities } from './prepare-activities.js';
import { taskFailure } from './task-failure.js';

/** How the run looks for what its request has made. */
export interface MarkedPlace extends Place {
  marker: string;
  namespaceId: string;
}

/** A kind of thing that runs make: how it is read and removed. */
export interface MadeSubject<T extends MadeThing> {
  kind: keyof typeof MAKE_TASKS;
  /** The statuses in which it is ready, and those from which it does not recover by itself. */
  sound: readonly string[];
  broken: readonly string[];
  path(place: Place, id: string): string;
  /** Fails as `NotFound` when it does not exist. */
  read(reads: PlanReads, place: Place, id: string): Promise<T>;
  /** The same read, by a watcher. */
  after(place: Place): AfterTask<T>;
  /** Why a removal would take what others have (`MakeStep`). */
  heldBy?(seen: T): string | undefined;
  remove(run: MakingRun, within: Within, target: Place & { id: string }): Promise<StartedRemoval>;
}

type MakingRun = Run<PreparedMaker>;

/** What every request names. */
interface NamedInput {
  name: string;
}

/** What is particular to one operation. */
interface StatedMake<I extends NamedInput, T extends MadeThing> extends Pick<
  MakeStep<I, T>,
  'name' | 'differs' | 'check' | 'send' | 'says'
> {
  resources?: MakeStep<I, T>['resources'];
  /** What carries the marker. */
  list: (reads: PlanReads, search: MarkedPlace, input: I) => Promise<readonly T[]>;
  /** The volume that it is made of, if it is: its tasks may say it. */
  volumeOf?: (input: I) => string;
  /** Where it is listed, and its call makes it. */
  listPath: (place: Place) => string;
  purpose: string;
  /** The reads of its check. */
  checks: (input: I, place: Place) => readonly { path: string; purpose: string }[];
}

/** A step that makes one thing: how it is found again, waited for and removed is the same for each. */
export function resourceMake<I extends NamedInput, T extends MadeThing>(
  subject: MadeSubject<T>,
  stated: StatedMake<I, T>,
): MakeStep<I, T> {
  const { kind } = subject;
  return {
    ...callsOf(subject, stated),
    name: stated.name,
    differs: stated.differs,
    check: stated.check,
    send: stated.send,
    says: stated.says,
    kind,
    starts: MAKE_TASKS[kind],
    removes: REMOVE_TASKS[kind],
    resources: stated.resources ?? (() => []),
    list: (asked) => stated.list(asked.reads, searchOf(asked), asked.input),
    read: (asked, id) => subject.read(asked.reads, placeOf(asked), id),
    after: (asked) => subject.after(placeOf(asked)),
    condition({ status }) {
      if (subject.broken.includes(status)) return 'broken';
      return subject.sound.includes(status) ? 'sound' : 'unfinished';
    },
    listTasks(asked, window) {
      const { marker, maker } = asked.prepared;
      const { input } = asked;
      const volumeId = stated.volumeOf?.(input);
      const of = { type: MAKE_TASKS[kind], name: input.name, volumeId };
      return asked.reads.listMakeTasks({ ...placeOf(asked), ...window, ...of, marker, maker });
    },
    created: ({ volumes, snapshots = [] }) => (kind === 'volume' ? volumes : snapshots),
    heldBy: (seen) => subject.heldBy?.(seen),
    remove: (run, within, id) => subject.remove(run, within, { ...placeOf(run), id }),
    endedWithoutSuccess: (runId) => prepareActivities.endedWithoutSuccess({ runId }),
    toFailure: (task) => taskFailure(task).error,
  };
}

/** What a plan shows. */
function callsOf<I extends NamedInput, T extends MadeThing>(
  subject: MadeSubject<T>,
  { listPath, purpose, checks }: StatedMake<I, T>,
): Pick<MakeStep<I, T>, 'calls' | 'explainMissing'> {
  const { kind } = subject;
  return {
    calls(asked) {
      const place = placeOf(asked);
      const path = listPath(place);
      const reads = checks(asked.input, place).map((read) => ({ method: 'GET', ...read }));
      return {
        look: { method: 'GET', path, purpose: `look for a ${kind} of an earlier try` },
        make: [
          ...reads,
          { method: 'POST', path, purpose },
          { method: 'GET', path: paths.task('{task_id}'), purpose: 'wait for the task' },
          { method: 'GET', path: subject.path(place, `{${kind}_id}`), purpose: `read the ${kind}` },
        ],
      };
    },
    explainMissing: (asked, draft: Draft) =>
      explainMissingPlace(asked.reads, draft, { place: placeOf(asked), regionPath: 'regionId' }),
  };
}

export function placeOf({
  prepared: { projectId, regionId },
}: Pick<AskedToMake<unknown>, 'prepared'>): Place {
  return { projectId, regionId };
}

function searchOf(asked: Pick<AskedToMake<unknown>, 'prepared'>): MarkedPlace {
  const { marker, maker } = asked.prepared;
  return { ...placeOf(asked), marker, namespaceId: namespaceIdOf(maker) };
}
