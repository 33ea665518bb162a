/** The engine, bound to the API of Gcore: its activities, its tasks, its names. */
import type { ApiActivityGroups, WatchActivities } from '../activities/index.js';
import type { CreatedResources } from '../activities/tasks.js';
import type { ReadAfter, Seen } from '../activities/watch.js';
import { PRODUCT } from '../contract/wire/product.js';
import type { PreparedMaker, PreparedPlacedChange } from '../contract/wire/prepared.js';
import type { PreparedChange, PreparedRun, PreparedSender } from '../engine/core/prepared-run.js';
import { createEngine } from '../engine/create-engine.js';
import type * as changes from '../engine/send/one-change.js';
import type * as converge from '../engine/send/converge.js';
import type * as planning from '../engine/plan/planning.js';
import type * as api from '../engine/run/api.js';
import type * as steps from '../engine/steps/change-step.js';
import type * as removal from '../engine/steps/remove-step.js';
import type * as makes from '../engine/steps/make-step.js';
import type * as engine from '../engine/run/run-types.js';
import type * as wait from '../engine/wait/wait-for-tasks.js';

export interface Gcore {
  groups: ApiActivityGroups & { watch: WatchActivities };
  created: CreatedResources;
  thenRead: ReadAfter;
  seen: Seen;
}

export type Api = api.Api<Gcore>;
export type Run<P extends PreparedRun = PreparedRun, I = unknown> = engine.Run<P, I, Gcore>;
export type MarkedRun = Run<PreparedSender>;
/** A run that makes cloud resources, as its looks and removals need it. */
export type MakerRun = Run<PreparedMaker>;
export type TaskOutcome = engine.TaskOutcome<Gcore>;
/** A step that changes one resource, and what was asked for it. */
export type ChangeStep<I, P extends PreparedChange, T extends object> = steps.ChangeStep<
  I,
  P,
  T,
  Gcore
>;
export type AfterTask<T> = wait.AfterTask<T, Gcore>;
export type ChangeTasks<T extends object> = changes.ChangeTasks<T, Gcore>;
/** A step that removes one thing. */
export type RemoveStep<I, P extends PreparedChange, T extends object> = removal.RemoveStep<
  I,
  P,
  T,
  Gcore
>;
/** The same about what belongs to an account, and to no project and region. */
export type AccountChangeStep<I, T extends object> = ChangeStep<I, PreparedChange, T>;
export type AccountRemoveStep<I, T extends object> = RemoveStep<I, PreparedChange, T>;
/** A step that makes one thing, and what was asked for it. */
export type MakeStep<I, T extends makes.MadeThing> = makes.MakeStep<I, PreparedMaker, T, Gcore>;
export type AskedToMake<I> = PlanRun<PreparedMaker, I>;
export type Asked<I> = PlanRun<PreparedPlacedChange, I>;
export type AskedOfAccount<I> = PlanRun<PreparedChange, I>;
export type Change<T extends object> = converge.Change<T, Gcore>;
export type PlanReads = planning.PlanReads<Gcore>;
export type PlanRun<P extends PreparedRun = PreparedRun, I = unknown> = planning.PlanRun<
  P,
  I,
  Gcore
>;

export const {
  runOperation,
  planOrRun,
  changeOperation,
  removeOperation,
  makeOperation,
  workflows,
} = createEngine<Gcore>({
  product: PRODUCT,
  tasks: ({ reads, polls, watch }) => ({
    read: (options, task) => reads.getTask.executeWithOptions(options, [task]),
    poll: (options, task) => polls.pollTask.executeWithOptions(options, [task]),
    watch: (options, task) => watch.watchTask.executeWithOptions(options, [task]),
  }),
});
