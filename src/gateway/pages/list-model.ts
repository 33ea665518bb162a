import { protectionOf } from '../../client/protection.js';
import type { PageFilter, PhaseCount, RunPage, RunSummary } from '../../client/index.js';
import { Operation } from '../../contract/index.js';
import { cutText, oneLine } from '../../engine/core/text.js';
import { Phase } from '../../engine/core/status.js';
import type { Caller } from '../../tokens/token-file.js';
import type { GatewayParts, MakeLarge } from '../gateway-context.js';
import { createLine } from '../line.js';
import { listPage } from '../routes/list.js';
import { createSharedReads } from '../share-reads.js';
import { awaited, within, type Deadlines } from '../within.js';
import { statusOf } from './run-model.js';

/** A run of a list, with what the list of the server does not say. */
export interface ListedRun extends RunSummary {
  /** Why it is blocked or has failed. */
  reason?: string | undefined;
  /** Until when its address is protected; ISO 8601. */
  protectedUntil?: string | undefined;
}

export interface ListPageModel {
  /** Missing when the server does not count, or would count what the reader may not know of. */
  counts: readonly PhaseCount[];
  /** What needs a person: blocked, and failed a short time ago. */
  urgent: readonly ListedRun[];
  runs: readonly ListedRun[];
  /** The next page. */
  next?: string | undefined;
  /** The filter, as the reader gave it. */
  given: Readonly<Record<string, string>>;
  now: number;
}

export type ReadList = (
  filter: PageFilter,
  asked: { given: ListPageModel['given']; caller: Caller; makeLarge: MakeLarge },
) => Promise<ListPageModel>;

const FRESH_MS = 5_000;
const WITHIN_MS = 3_000;
const MOST_URGENT = 10;
/** Runs of a page that are asked for more than the list says. */
const MOST_ASKED = 20;
/** Of all pages at once: a worker answers each, and may have to read a history for it; or the server looks through its lists. */
const ASKED_AT_ONCE = 16;
const MOST_REASON_BYTES = 240;
const DAY_MS = 86_400_000;

type More = Pick<ListedRun, 'reason' | 'protectedUntil'>;

/** Reads a list for people. What the readers of one filter have in common is read once in some seconds. */
export function createReadList(parts: GatewayParts): ReadList {
  const counted = createSharedReads<PhaseCount[]>(FRESH_MS);
  const known = createSharedReads<More | undefined>(FRESH_MS);
  const { gcore } = parts;
  const [askRun, askLists] = [createTurns(gcore), createTurns(gcore)];
  const tell = async (run: RunSummary, caller: Caller): Promise<ListedRun | undefined> => {
    const key = `${run.phase} ${run.startedAt.toISOString()} ${run.workflowId}`;
    const more = known(key, () => askRun(caller, () => moreOf(parts, run)));
    const said = await awaited(WITHIN_MS, more).catch((): More => ({}));
    return said && { ...run, ...said };
  };
  const count = (filter: PageFilter, caller: Caller): Promise<PhaseCount[]> => {
    const read = () => gcore.counts(allPhases(filter));
    return counted(keyOf(filter), () => askLists(caller, read)).catch(() => []);
  };
  return async (filter, { given, caller, makeLarge }) => {
    const now = Date.now();
    const [page, urgent, counts] = await Promise.all([
      listPage({ gcore, makeLarge }, filter),
      isWhole(filter)
        ? readUrgent(filter, now, (asked) => askLists(caller, () => gcore.page(asked)))
        : [],
      // The server would count what this caller may not know of, too.
      caller.operations === undefined ? count(filter, caller) : [],
    ]);
    const first = await Promise.all(urgent.map((run) => tell(run, caller)));
    const shown = first.filter((run) => run !== undefined);
    const ids = new Set(shown.map(identityOf));
    const rest = page.runs.filter((run) => !ids.has(identityOf(run)));
    const unsure = rest.filter(wantsMore).slice(0, MOST_ASKED);
    const asked = await Promise.all(unsure.map((run) => tell(run, caller)));
    const told = new Map(asked.flatMap((run) => (run ? [[identityOf(run), run] as const] : [])));
    const runs = rest.map((run) => told.get(identityOf(run)) ?? run);
    return { counts, urgent: shown, runs, next: page.next, given, now };
  };
}

type AskInTurn = <T>(caller: Caller, ask: () => Promise<T>) => Promise<T>;

/** What a page can do without is asked for when its turn comes, or not at all. */
function createTurns(gcore: Deadlines): AskInTurn {
  const enter = createLine(ASKED_AT_ONCE, WITHIN_MS);
  return async ({ name }, ask) => {
    const leave = await enter(name, 1);
    try {
      return await within(gcore, WITHIN_MS, ask);
    } finally {
      leave();
    }
  };
}

/** One Workflow Id may stand in a list several times. */
function identityOf({ workflowId, startedAt }: RunSummary): string {
  return `${startedAt.getTime()} ${workflowId}`;
}

function isWhole({ phase, page, search, open }: PageFilter): boolean {
  return [phase, page, search, open].every((given) => given === undefined);
}

function allPhases(filter: PageFilter): PageFilter {
  const all = { ...filter };
  delete all.phase;
  delete all.page;
  delete all.limit;
  return all;
}

function keyOf(filter: PageFilter): string {
  return JSON.stringify(allPhases(filter));
}

const ENDED_BADLY = 'ExecutionStatus IN ("Failed", "Terminated", "TimedOut")';

/** Without search attributes nobody knows what is blocked. */
async function readUrgent(
  filter: PageFilter,
  now: number,
  readPage: (asked: PageFilter) => Promise<RunPage>,
): Promise<RunSummary[]> {
  const since = new Date(now - DAY_MS).toISOString();
  const read = (more: PageFilter): Promise<RunSummary[]> =>
    readPage({ ...filter, ...more, limit: MOST_URGENT }).then(
      ({ runs }) => runs,
      () => [],
    );
  const [blocked, failed] = await Promise.all([
    read({ phase: Phase.blocked }),
    read({ query: `${ENDED_BADLY} AND CloseTime >= "${since}"` }),
  ]);
  return [...blocked, ...failed];
}

function wantsMore({ phase, operation, closedAt }: RunSummary): boolean {
  if (phase === Phase.blocked || phase === Phase.failed) return true;
  return operation === Operation.protectIp && closedAt === undefined;
}

/** `undefined` for a run that has ended and was started again since, or reset: nobody has to look at it. */
async function moreOf({ gcore, board }: GatewayParts, run: RunSummary): Promise<More | undefined> {
  const { workflowId, runId, phase, startedAt } = run;
  if (phase === Phase.failed) {
    const failure = await gcore.failure(workflowId);
    if (failure?.startedAt !== startedAt.toISOString()) return undefined;
    return { reason: reasonOf(failure.type, failure.cause) };
  }
  if (run.closedAt !== undefined) {
    return (await gcore.summary(workflowId)).runId === runId ? {} : undefined;
  }
  const view = await board.read(workflowId);
  // Lists are behind: another run may have begun under this Workflow Id, which this reader may not know of.
  if (view.runId !== runId) return {};
  const status = statusOf(view);
  return {
    reason: status?.blocked && reasonOf(status.blocked.type, status.blocked.message),
    protectedUntil: status && protectionOf(status)?.until,
  };
}

function reasonOf(type: string | undefined, message: string): string {
  return cutText([type, oneLine(message)].filter(Boolean).join(': '), MOST_REASON_BYTES);
}
