import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

import type {
  AskedItem,
  BatchMark,
  BatchRuns,
  OfBatch,
  OpenItem,
} from '../../activities/batch/batch-runs.js';
import {
  askRun,
  cancelRun,
  cutShortTimeOf,
  describeNamed,
  firstRunIdOf,
  toRunError,
} from '../../client/ask-run.js';
import { listResources } from '../../client/explain/sentences.js';
import { toKnownError } from '../../client/error-table.js';
import {
  RequestConflictError,
  RunEndedError,
  RunNotFoundError,
  UpdateRefusedError,
} from '../../client/errors.js';
import type { KnownError } from '../../client/known-error.js';
import { lastInput } from '../../client/last-input.js';
import { listRuns } from '../../client/list-runs.js';
import { sendUpdate } from '../../client/run-updates.js';
import { hasRecordedPhase, listedPhase, type RunSummary } from '../../client/run-summary.js';
import { clearSecretsOf, runnableInput } from '../../client/runnable-input.js';
import { withDeadline } from '../../client/server-calls.js';
import { startRun } from '../../client/start-run.js';
import type { ClearSecrets } from '../../contract/clear-secrets.js';
import { OPERATIONS, type Operations } from '../../contract/operations/index.js';
import {
  ItemState,
  itemWorkflowId,
  PAUSED_IN_TEMPORAL,
  type BatchedOperation,
  type BatchTerms,
  type SeenItem,
} from '../../contract/wire/batch.js';
import { Held } from '../../contract/wire/names.js';
import { chunksOf } from '../../engine/core/chunks.js';
import { startedByOf, startedForOf } from '../../engine/core/identity.js';
import { statusQuery } from '../../engine/core/messages.js';
import { Phase } from '../../engine/core/status.js';
import { cutText, quoteValue } from '../../engine/core/text.js';
import { Standing } from '../../engine/http/send-in-turn.js';
import { lostItems, namedItems, newestRun } from './named-items.js';

export interface BatchRunsDeps {
  /** Of the worker of the current activity. */
  client: () => Client;
  taskQueue: string;
  clearSecrets?: ClearSecrets | undefined;
  /** What the server says of the attempt that goes on. */
  standing: () => Promise<Standing>;
}

/** Longest wait for a worker's answer. */
const ANSWER_WITHIN_MS = 5_000;
/** Shorter than the heartbeat timeout: a start that waits for longer is tried again. */
const END_WITHIN_MS = 20_000;
/** Ids in one list call. */
const IDS_PER_LIST = 100;

/** The runs of a batch, as the Temporal server of this worker has them. */
export function createBatchRuns(deps: BatchRunsDeps): BatchRuns {
  return {
    start: (terms, item, of) => startItem(deps, terms, { item, of }),
    find: (terms, item, of) => findItem(deps.client(), terms, { item, of }),
    look: (terms, item) => lookAt(deps.client(), itemWorkflowId(terms, item), item),

    async suspects(terms, items) {
      const ids = new Map(items.map((item) => [itemWorkflowId(terms, item), item]));
      const { operation } = terms;
      const runs = await Promise.all(
        chunksOf([...ids.keys()], IDS_PER_LIST).map((some) =>
          listRuns(deps.client(), {
            operation,
            query: `WorkflowId IN (${some.map(quoteValue).join(', ')})`,
            limit: some.length * 2,
          }),
        ),
      );
      return suspectsIn(runs.flat(), ids);
    },

    named: (terms, last, listed) => namedItems(deps.client(), terms, { last, listed }),
    lost: (terms, of, listed) => lostItems(deps.client(), terms, { of, listed }),

    async ask(terms, item, { what, by }) {
      const asked = { workflowId: itemWorkflowId(terms, item), runId: item.runId };
      const client = deps.client();
      try {
        if (what === 'cancel') await cancelRun({ client, by }, asked);
        else {
          const asking = { client, by, answerWithinMs: ANSWER_WITHIN_MS };
          const request = { ofMany: true, onlyBlocked: true };
          await sendUpdate(asking, { ...asked, update: 'resume', request });
        }
      } catch (error) {
        const needsNothing =
          error instanceof RunEndedError ||
          error instanceof RunNotFoundError ||
          error instanceof UpdateRefusedError;
        if (!needsNothing) throw error;
      }
    },
  };
}

/** The newest run of an id comes first where it is open. A run that is not listed yet may not have changed. */
function suspectsIn(
  runs: readonly RunSummary[],
  items: ReadonlyMap<string, OpenItem>,
): Set<number> {
  const newest = new Map<string, RunSummary>();
  for (const run of runs) {
    const other = newest.get(run.workflowId);
    if (other === undefined || other.startedAt < run.startedAt) newest.set(run.workflowId, run);
  }
  return new Set(
    [...newest.values()].flatMap(({ workflowId, closedAt, ...run }) => {
      const item = items.get(workflowId);
      if (item === undefined) return [];
      const isAsSeen = closedAt === undefined && stateOfRun(run) === item.state;
      return isAsSeen ? [] : [item.line];
    }),
  );
}

function stateOfRun({ state, phase }: Pick<RunSummary, 'state' | 'phase'>): ItemState {
  // What holds is there: the run only waits until it puts back what was before.
  if (phase === Held.protected || phase === Held.notProtected) return ItemState.succeeded;
  // Whatever it has recorded, it does nothing now.
  if (state === 'PAUSED') return ItemState.paused;
  if (phase === Phase.blocked) return ItemState.blocked;
  return phase === Phase.paused ? ItemState.paused : ItemState.open;
}

interface Starting {
  item: AskedItem;
  of: OfBatch;
  before?: true | undefined;
}

async function startItem(
  deps: BatchRunsDeps,
  terms: BatchTerms,
  { item, of: given }: Starting,
): Promise<SeenItem | undefined> {
  const client = deps.client();
  const begun = given.again ? undefined : await ownRun(client, terms, { item, of: given });
  const isRepeated = begun !== undefined && begun.startTime.getTime() < (given.repeatedAt ?? 0);
  if (begun !== undefined && !isRepeated) return seenOf(client, begun, { item, of: given });
  const of: OfBatch = isRepeated ? { ...given, again: true } : given;
  const workflowId = itemWorkflowId(terms, item);
  const request = { workflowId, requestId: item.id, input: item.input };
  let joined: Joined;
  try {
    joined = await startOrJoin(deps, { terms, request, of, mark: markOf(of.batch) });
  } catch (error) {
    if (error instanceof NotWanted) return undefined;
    throw error;
  }
  const { line, id } = item;
  if ('refused' in joined) return { line, id, ...joined.refused };
  const { runId, before } = joined;
  // Another run may have begun under its Workflow Id since, with another input.
  const run = await describeNamed(client, { workflowId, runId });
  return seenOf(client, run, { item, of, before });
}

/** The batch was cancelled or paused. */
class NotWanted extends Error {
  override readonly name = 'NotWanted';
}

/** A process that stood still starts nothing more. */
async function assertWanted({ standing }: BatchRunsDeps): Promise<void> {
  const now = await standing();
  if (now === Standing.cancelled) throw new NotWanted('the batch wants no further item');
  if (now === Standing.current) return;
  throw new Error('The Temporal server does not say that it waits for this start any more');
}

async function findItem(
  client: Client,
  terms: BatchTerms,
  { item, of }: Starting,
): Promise<SeenItem | undefined> {
  const run = await ownRun(client, terms, { item, of });
  if (run === undefined) return undefined;
  if (of.since === undefined) return seenOf(client, run, { item, of });
  // An earlier run of the item has the same mark.
  const isEarlier = run.closeTime !== undefined && run.startTime.getTime() < of.since;
  return isEarlier ? undefined : lookAt(client, run.workflowId, begunOf(run, { item, of }));
}

/** The newest run of an item, when this batch has started it, or when it goes on and another try has. */
async function ownRun(
  client: Client,
  terms: BatchTerms,
  { item, of }: Starting,
): Promise<WorkflowExecutionDescription | undefined> {
  const run = await newestRun(client, itemWorkflowId(terms, item));
  const isEarlier =
    of.earlierToo === true &&
    run?.closeTime === undefined &&
    startedForOf(run?.memo) === of.batch.workflowId;
  return isEarlier || startedByOf(run?.memo)?.for === markOf(of.batch) ? run : undefined;
}

function seenOf(
  client: Client,
  run: WorkflowExecutionDescription,
  starting: Starting,
): Promise<SeenItem> | SeenItem {
  const begun = begunOf(run, starting);
  // What an open run does, the next look tells: the first workflow task of a new one may have to wait.
  return run.closeTime === undefined ? begun : lookAt(client, run.workflowId, begun);
}

function begunOf(run: WorkflowExecutionDescription, { item, of, before }: Starting): OpenItem {
  // An earlier try of the same batch has started its runs for the same request.
  const isJoined = startedForOf(run.memo) !== of.batch.workflowId;
  return {
    line: item.line,
    id: item.id,
    runId: firstRunIdOf(run),
    state: ItemState.open,
    ...(isJoined && { isJoined }),
    ...(before && { before }),
  };
}

interface Wanted<O extends BatchedOperation = BatchedOperation> {
  terms: BatchTerms & { operation: O };
  request: { workflowId: string; requestId: string; input: Operations[O]['input'] };
  of: OfBatch;
  mark: string;
}

type Joined =
  /** Why there is no run that counts. */
  | { refused: Omit<SeenItem, 'line'> }
  /** The first Run Id of the one that counts. `before`: it had succeeded before. */
  | { runId: string; before?: true };

/** @throws what a later try may mend */
async function startOrJoin(
  batch: BatchRunsDeps,
  { terms: { operation }, request, of, mark }: Wanted,
): Promise<Joined> {
  const { taskQueue, clearSecrets } = batch;
  const client = batch.client();
  const deps = {
    client,
    taskQueue,
    clearSecrets: clearSecretsOf(client, clearSecrets),
    by: of.by,
    startedFor: mark,
    beforeStart: () => assertWanted(batch),
    answerWithinMs: ANSWER_WITHIN_MS,
    endWithinMs: END_WITHIN_MS,
  };
  const { urgency } = of;
  try {
    const { runId, outcome } = await startRun(deps, operation, {
      ...request,
      ...(urgency && { urgency }),
    });
    if (outcome === 'joined') await refuseEnding(client, operation, { ...request, runId });
    return { runId, ...(outcome === 'succeeded-before' && { before: true }) };
  } catch (error) {
    const known = toKnownError(error);
    if (known === undefined || known.kind === 'TemporalRefuses') throw error;
    const text = textOf(known);
    if (known.retryable) {
      return { refused: { state: ItemState.later, class: known.code, text } };
    }
    return { refused: { state: ItemState.failed, class: known.code, text } };
  }
}

/** A line is done as soon as its run holds what was asked for: what was asked for ever would end, and nobody would see it. */
async function refuseEnding<O extends BatchedOperation>(
  client: Client,
  operation: O,
  { workflowId, runId, input }: Wanted<O>['request'] & { runId: string },
): Promise<void> {
  const { endsItself, joinsWith = [] } = OPERATIONS[operation];
  if (endsItself === undefined || endsItself(input)) return;
  const last = await lastInput(client, await describeNamed(client, { workflowId, runId }));
  const open = runnableInput<O>(operation, last, 'allow');
  if (open.ok && endsItself(open.value))
    throw new RequestConflictError(workflowId, 'open', joinsWith.map(String));
}

/** In one line, with the first faults of an input. */
function textOf({ message, faults = [] }: KnownError): string {
  const named = faults.map(({ path, message: fault }) => `${path} ${fault}`).join('; ');
  return cutText(faults.length === 0 ? message : named);
}

function markOf({ workflowId, runId }: BatchMark): string {
  return `${workflowId}/${runId}`;
}

const NO_RUN = {
  class: 'RunNotFound',
  text: 'The Temporal server does not know its run any more. See what exists before you start it again.',
};

type ItemLook = Pick<SeenItem, 'state' | 'class' | 'text'>;

/** What the run of an item does. Somebody may have started its request again since: the run that is followed counts. */
async function lookAt(client: Client, workflowId: string, item: OpenItem): Promise<SeenItem> {
  const { line, id, runId, isJoined, before } = item;
  const named = { line, id, runId, ...(isJoined && { isJoined }), ...(before && { before }) };
  return { ...named, ...(await stateOf(client, workflowId, runId)) };
}

async function stateOf(client: Client, workflowId: string, runId: string): Promise<ItemLook> {
  const newest = await newestRun(client, workflowId);
  if (newest === undefined) return { state: ItemState.failed, ...NO_RUN };
  const isIt = firstRunIdOf(newest) === runId;
  if (isIt && newest.closeTime === undefined) return openState(client, newest);
  if (isIt && newest.status.name === 'COMPLETED') return { state: ItemState.succeeded };
  try {
    await client.workflow.getHandle(workflowId, isIt ? newest.runId : runId).result();
    return { state: ItemState.succeeded };
  } catch (error) {
    const known = toKnownError(toRunError(workflowId, error));
    if (known === undefined || known.retryable) throw error;
    const text = cutText([textOf(known), ...(isIt ? await leftBy(client, newest) : [])].join(' '));
    return { state: ItemState.failed, class: known.code, text };
  }
}

/** What a run knew of that could neither undo nor report anything. */
async function leftBy(client: Client, run: WorkflowExecutionDescription): Promise<string[]> {
  if (cutShortTimeOf(run) === undefined) return [];
  const asked = withDeadline(client, ANSWER_WITHIN_MS, () => askRun(client, run, statusQuery));
  const { steps } = await asked.catch(() => ({ steps: [] as const }));
  const known = steps.flatMap(({ taskIds, resources }) => [
    ...taskIds.map((id) => ({ kind: 'task', id })),
    ...resources,
  ]);
  return known.length === 0 ? [] : [`Known of it: ${listResources(known)}.`];
}

/** Where the namespace records no phases, only the run itself can tell. */
async function openState(client: Client, run: WorkflowExecutionDescription): Promise<ItemLook> {
  const state = stateOfRun({ state: run.status.name, phase: listedPhase(run) });
  if (run.status.name === 'PAUSED') {
    return { state, ...(state === ItemState.paused && { class: PAUSED_IN_TEMPORAL }) };
  }
  if (state !== ItemState.blocked && hasRecordedPhase(run)) return { state };
  try {
    const { blocked, phase, waiting } = await withDeadline(client, ANSWER_WITHIN_MS, () =>
      askRun(client, run, statusQuery),
    );
    if (waiting?.holds !== undefined) return { state: ItemState.succeeded };
    // A run that somebody has paused tries nothing, also while it is blocked.
    if (phase === Phase.paused) return { state: ItemState.paused };
    if (blocked !== undefined) {
      return { state: ItemState.blocked, class: blocked.type, text: cutText(blocked.message) };
    }
    return { state: ItemState.open };
  } catch {
    // The workers are busy, so a later look has to tell why it is blocked.
    return state === ItemState.blocked
      ? { state, class: 'blocked', text: 'Its run has not said yet why.' }
      : { state };
  }
}
