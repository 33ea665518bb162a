import type { Unblock } from '../run/park-while-blocked.js';
import type { PreparedSender } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import type { Resource } from '../core/status.js';
import type { Within } from '../run/activity-calls.js';
import { orUndefinedIfGone } from '../run/failures.js';
import { lookUnpaused } from '../run/look-unpaused.js';
import {
  attemptDelete,
  isCarriedOut,
  isGone,
  leftBehind,
  untilGone,
  type LeftResource,
} from '../send/until-gone.js';
import type { MadeBy } from '../send/mutation.js';
import { findUnlessGone } from '../wait/find-unless-gone.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import { untilTasksEnd, waitForTasks } from '../wait/wait-for-tasks.js';
import { listsSettledAt } from '../wait/wait-until.js';
import type { MadeThing } from './make-step.js';
import { mayRemove, type Making } from './making.js';

/**
 * Removes what this run made, with the leftovers of earlier runs. First waits for the tasks of the call, because the
 * API cannot cancel a task. Then deletes until one pass finds nothing. Blocks as `RemovalBlocked` when it gets no further.
 */
export async function removeMade<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>(making: Making<I, P, T, A>, taskIds: readonly string[]): Promise<void> {
  const { run, step, recorder } = making;
  await waitForTasks(run, taskIds, { step: recorder, expect: step.starts, unlimited: true });
  let ids = await findAll(making, taskIds, listOwn);
  const gone = new Set<string>();
  let passes = 0;
  await untilGone(run, `removal of the ${step.kind}`, async (unblock) => {
    if (passes > 0) ids = unique([...ids, ...(await listOwn(making))]);
    passes += 1;
    ids = ids.filter((id) => !gone.has(id));
    recorder.set(recorder.state, { resources: ids.map((id) => ({ kind: step.kind, id })) });
    const left: LeftResource[] = [];
    for (const id of ids) {
      const rest = await removeOne(making, { id, unblock });
      if (rest === undefined) gone.add(id);
      else left.push(rest);
    }
    // A person, or the failure of the run, learns only of what still exists.
    recorder.set(recorder.state, { resources: left.map(({ resource }) => resource) });
    return left;
  });
}

/** What the request, or only its earlier runs, made and what exists, once the tasks have ended. One that takes far too long is not waited for. */
export async function inventoryOf<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>(making: Making<I, P, T, A>, taskIds: readonly string[], by: MadeBy): Promise<Resource[]> {
  const { run, step, recorder } = making;
  await untilTasksEnd(run, taskIds, { step: recorder, expect: step.starts });
  const ids = await findAll(making, taskIds, (each) => listMarked(each, by));
  return ids.map((id) => ({ kind: step.kind, id }));
}

/**
 * The ids of what a call has made, and of leftovers. A task that failed, or that the API has forgotten, does not say what
 * it made, and lists lag: then nothing counts as absent before the grace time, unless it shows. A call makes one thing.
 */
async function findAll<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  making: Making<I, P, T, A>,
  taskIds: readonly string[],
  list: (making: Making<I, P, T, A>) => Promise<string[]>,
): Promise<string[]> {
  const { run, step } = making;
  const named = taskIds.flatMap((id) => {
    const created = run.tasks.get(id)?.outcome?.created;
    return created === undefined ? [] : step.created(created);
  });
  const name = 'what a failed call may have left to show';
  const until = listsSettledAt(run, taskIds);
  return lookUntilGraceEnds(run, { name, until }, async (isSure) => {
    const found = unique([...named, ...(await list(making))]);
    return isSure || found.length > 0 ? found : undefined;
  });
}

async function listMarked<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  { run: { prepared }, step, asked }: Making<I, P, T, A>,
  by: MadeBy,
): Promise<string[]> {
  const listed = await step.list(asked);
  const isEarlier = ({ maker }: T): boolean => by === 'request' || maker !== prepared.maker;
  return listed.filter(isEarlier).map(({ id }) => id);
}

/** What the run may remove. */
async function listOwn<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>({
  run: { prepared },
  step,
  asked,
  memory,
}: Making<I, P, T, A>): Promise<string[]> {
  const listed = await step.list(asked);
  return listed
    .filter(
      ({ id, maker = '' }) =>
        maker === prepared.maker || memory.makers.has(maker) || memory.givenUp.has(id),
    )
    .map(({ id }) => id);
}

/** `undefined` when it is gone for sure. */
async function removeOne<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  making: Making<I, P, T, A>,
  { id, unblock }: { id: string; unblock: Unblock },
): Promise<LeftResource | undefined> {
  const { run, step, recorder } = making;
  const resource = { kind: step.kind, id };
  for (;;) {
    const found = await findUnlessGone(run, {
      name: `${step.kind} ${id}`,
      isDeleted: making.memory.deleted.has(id),
      look: () => lookAtOne(making, id),
    });
    if (found.kind === 'gone') return undefined;
    const { seen, at } = found.seen;
    const cause = (await mayRemove(making, seen))
      ? step.heldBy?.(seen)
      : 'its tags say that another run made it';
    if (cause !== undefined) return { resource, cause };
    // While the lock task runs, the API refuses every change. One that outlives its task does not count.
    const { lockTaskId } = seen;
    if (lockTaskId !== undefined && run.tasks.get(lockTaskId)?.outcome === undefined) {
      await waitForTasks(run, [lockTaskId], { step: recorder, expect: 'lock' });
      continue;
    }
    const send = (within: Within) => step.remove(run, within, id);
    const removal = await attemptDelete(run, { unblock, seenAt: at, send });
    const tasks = await waitForTasks(run, removal.taskIds, {
      step: recorder,
      expect: step.removes,
    });
    if (isCarriedOut(removal, tasks)) making.memory.deleted.add(id);
    return isGone(removal) ? { resource } : leftBehind(resource, removal, tasks);
  }
}

/** `undefined` when it is not found. */
async function lookAtOne<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  { run, step, asked }: Making<I, P, T, A>,
  id: string,
): Promise<{ seen: T; at: number } | undefined> {
  const look = () => orUndefinedIfGone(step.read(asked, id));
  const { state: seen, at } = await lookUnpaused(run, look);
  return seen && { seen, at };
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
