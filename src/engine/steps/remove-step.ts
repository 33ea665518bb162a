import type { Unblock } from '../run/park-while-blocked.js';
import type { PreparedChange } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import { StepState, type Resource } from '../core/status.js';
import type { StartedRemoval } from '../core/tasks.js';
import { createDraft } from '../plan/planning.js';
import { refuseFaults } from '../plan/refuse-faults.js';
import type { Plan } from '../schema/documents.js';
import type { Within } from '../run/activity-calls.js';
import type { StepRecorder } from '../run/ledger.js';
import {
  refuseOutdatedInput,
  restartOnCorrectedInput,
  type AssertInput,
} from '../run/restart-on-corrected-input.js';
import type { Seen } from '../run/read-times.js';
import type { Run } from '../run/run-types.js';
import { lookUnlessFresh } from '../send/converge.js';
import { admitEarlier } from '../send/name-earlier.js';
import { attemptDelete, isCarriedOut, leftBehind, untilGone } from '../send/until-gone.js';
import { blockOnContradiction, type Verdict } from '../send/verdict.js';
import { findUnlessGone, type FoundOrGone, type Sought } from '../wait/find-unless-gone.js';
import { waitForTasks } from '../wait/wait-for-tasks.js';
import {
  askedOf,
  explainMissing,
  findFaults,
  takeOnlyTurns,
  type Asked,
  type Step,
} from './step.js';

/**
 * A step that removes one thing, as an operation states it. The engine runs it (`runRemoval`): it takes the turn, finds
 * the thing, deletes it by its id, and looks until it is gone. And it plans it (`planRemoval`) from the same members,
 * without `send`.
 */
export interface RemoveStep<
  I,
  P extends PreparedChange,
  T extends object,
  A extends RemoteApi,
> extends Step<I, P, T, A> {
  /** The thing that the input means. */
  find(asked: Asked<I, P, A>): Promise<Verdict<T>>;
  /** The same thing by its id, whatever has its name or its address by now; `undefined` when it is gone. */
  again(seen: T, asked: Asked<I, P, A>): Promise<T | undefined>;
  /** Whether a list shows it, where `again` reads it by its id; left out where `again` reads a list. */
  isListed?(asked: Asked<I, P, A>): Promise<boolean>;
  /** For the ledger. */
  resource(seen: T): Resource;
  /** Deletes by the id of what was seen. */
  send(run: Run<P, I, A>, within: Within, seen: T): Promise<StartedRemoval>;
  /** The task type that `send` starts; left out where the API has no tasks for it. */
  starts?: string;
}

/** What a removal has come to. */
export interface Removed<T> {
  /** As it was before; `undefined` when there was nothing to remove. */
  before: T | undefined;
  /** The tasks that its deletes have started. */
  taskIds: string[];
}

/**
 * Runs the step. Success means that the thing is gone for sure (`findUnlessGone`). Blocks as `RemovalBlocked`
 * while something holds it, and fails as `InvalidRequest` when it may not be removed.
 */
export function runRemoval<I, P extends PreparedChange, T extends object, A extends RemoteApi>(
  run: Run<P, I, A>,
  step: RemoveStep<I, P, T, A>,
): Promise<Removed<T>> {
  admitEarlier(run, run.ledger.step(step.name));
  return restartOnCorrectedInput(run, async (assertInput) => {
    const recorder = await run.begin(step.name);
    const asked = askedOf(run);
    await takeOnlyTurns(run, step.resources(asked));
    const found = await findFirst(run, step, { asked, assertInput });
    if (found.kind === 'gone') {
      recorder.set(StepState.verified, {
        resources: [],
        note: `there is nothing to remove: ${found.looked}`,
      });
      return { before: undefined, taskIds: [] };
    }
    const { state: before, ...look } = found.seen;
    const taskIds = await removeUntilGone(run, step, { recorder, asked, before, look });
    recorder.set(StepState.verified, { resources: [], note: 'gone' });
    return { before, taskIds };
  });
}

/** What the input means; it blocks the run while that is not clear. */
async function findFirst<I, P extends PreparedChange, T extends object, A extends RemoteApi>(
  run: Run<P, I, A>,
  step: RemoveStep<I, P, T, A>,
  { asked, assertInput }: { asked: Asked<I, P, A>; assertInput: AssertInput },
): Promise<FoundOrGone<Seen<T>>> {
  return findUnlessGone(run, {
    ...soughtBy(step, asked),
    async look() {
      let at: Look = { at: -Infinity };
      const found = await blockOnContradiction(run, async () => {
        assertInput();
        const { state, ...rest } = await run.api.times.look(() => step.find(asked));
        at = rest;
        return state;
      });
      return found.kind === 'present' ? { ...at, state: found.resource } : undefined;
    },
  });
}

function soughtBy<I, P extends PreparedChange, T extends object, A extends RemoteApi>(
  step: RemoveStep<I, P, T, A>,
  asked: Asked<I, P, A>,
): Pick<Sought<unknown>, 'name' | 'isListed'> {
  const [name] = step.resources(asked);
  return { name, isListed: async () => step.isListed?.(asked) };
}

interface Removal<I, P extends PreparedChange, T, A extends RemoteApi> {
  recorder: StepRecorder;
  asked: Asked<I, P, A>;
  before: T;
  /** Has shown `before`. */
  look: Look;
}

type Look = Pick<Seen<unknown>, 'at' | 'reads'>;

async function removeUntilGone<I, P extends PreparedChange, T extends object, A extends RemoteApi>(
  run: Run<P, I, A>,
  step: RemoveStep<I, P, T, A>,
  removal: Removal<I, P, T, A>,
): Promise<string[]> {
  const { recorder, asked, before } = removal;
  const resource = step.resource(before);
  recorder.set(StepState.planned, { resources: [resource] });
  const sent: Sent = { isAny: false, isCarriedOut: false, taskIds: [] };
  let known: Seen<T | undefined> | undefined = { ...removal.look, state: before };
  const find = (): Promise<FoundOrGone<Seen<T>>> =>
    findUnlessGone(run, {
      ...soughtBy(step, asked),
      isDeleted: sent.isCarriedOut,
      async look() {
        const { state, ...look } = await lookUnlessFresh(run, known, () =>
          step.again(before, asked),
        );
        known = undefined;
        return state && { ...look, state };
      },
    });
  await untilGone(run, step.name, async (unblock) => {
    await run.controls.untilUnpaused();
    // What was asked to go is on its way: no correction takes that back.
    const assertInput = (): void => {
      if (!sent.isAny) refuseOutdatedInput(run, asked.input);
    };
    assertInput();
    const found = await find();
    assertInput();
    if (found.kind === 'gone') return [];
    const { state: seen, ...look } = found.seen;
    const deleted = await deleteOnce(run, step, { ...removal, seen, look, sent, unblock });
    const { removal: tried, tasks } = deleted;
    sent.isCarriedOut ||= isCarriedOut(tried, tasks);
    return (await find()).kind === 'gone' ? [] : [leftBehind(resource, tried, tasks)];
  });
  return sent.taskIds;
}

/** What the deletes of this run have come to so far. */
interface Sent {
  isAny: boolean;
  /** The API says that one of them has been carried out. */
  isCarriedOut: boolean;
  taskIds: string[];
}

interface OneRemoval<
  I,
  P extends PreparedChange,
  T extends object,
  A extends RemoteApi,
> extends Removal<I, P, T, A> {
  seen: T;
  sent: Sent;
  unblock: Unblock;
}

async function deleteOnce<I, P extends PreparedChange, T extends object, A extends RemoteApi>(
  run: Run<P, I, A>,
  step: RemoveStep<I, P, T, A>,
  { recorder, asked, seen, look, sent, unblock }: OneRemoval<I, P, T, A>,
) {
  const isFirst = !sent.isAny;
  await refuseFaults(
    recorder,
    (draft) => findFaults(step, { seen, asked, draft, isFirst }),
    isFirst,
  );
  if (isFirst) refuseOutdatedInput(run, asked.input);
  const removal = await attemptDelete(run, {
    unblock,
    seenAt: look.at,
    again: step.starts === undefined ? look.reads : undefined,
    send: (within) => {
      sent.isAny = true;
      recorder.set(StepState.sending);
      return step.send(run, within, seen);
    },
  });
  sent.taskIds.push(...removal.taskIds);
  recorder.set(StepState.waiting, { taskIds: [...sent.taskIds] });
  const { starts: expect } = step;
  if (expect === undefined) return { removal, tasks: undefined };
  return { removal, tasks: await waitForTasks(run, removal.taskIds, { step: recorder, expect }) };
}

/** Plans the step: its reads, its check and what there is to remove. */
export async function planRemoval<
  I,
  P extends PreparedChange,
  T extends object,
  A extends RemoteApi,
>(operation: string, step: RemoveStep<I, P, T, A>, asked: Asked<I, P, A>): Promise<Plan> {
  const draft = createDraft(operation);
  const { read, change } = step.calls(asked);
  if (read !== undefined) draft.calls.push(read);
  const [name] = step.resources(asked);
  const found = await draft.look(name, () => step.find(asked));
  if (found.is === 'missing') await explainMissing(step, asked, draft);
  if (found.is !== 'there') return draft.finish();
  const { value: verdict } = found;
  if (verdict.kind === 'contradiction') {
    draft.fault({ message: verdict.note, advice: verdict.advice ?? 'Name the one that is meant.' });
  } else if (verdict.kind === 'present') {
    const seen = verdict.resource;
    await findFaults(step, { seen, asked, draft, isFirst: true });
    draft.calls.push(...change);
    const irreversible = step.irreversible?.(asked, seen);
    if (irreversible !== undefined) draft.irreversible.push(irreversible);
  } else {
    draft.warn({
      message: `${name}: there is nothing to remove`,
      advice: 'Nothing to do: the run would send nothing.',
    });
  }
  return draft.finish();
}
