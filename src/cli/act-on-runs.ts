import { RunEndedError, type GcoreWorkflows, type RunSummary } from '../client/index.js';
import { Operation } from '../contract/index.js';
import { chunksOf } from '../engine/core/chunks.js';
import { plural } from '../engine/core/text.js';
import { CliError, ExitCode, type Problem } from './cli-error.js';
import { align } from './output/align.js';
import { toProblem } from './output/to-problem.js';
import type { Session } from './session.js';

/**
 * How a command reaches runs that a filter finds while batches start further ones. `ends`: batches are asked first, and it
 * is over when they have ended. `holds`: batches are asked first. `frees`: batches are asked last, because they resume
 * their own runs, and of what comes later only what is held up is asked.
 */
type Reach = 'ends' | 'holds' | 'frees';

/** What a command asks of each run. */
export interface BulkAction {
  /** `cancel` */
  verb: string;
  act: (gcore: GcoreWorkflows, run: Target) => Promise<unknown>;
  /** Left out, exactly the runs that are found are asked. */
  reach?: Reach;
  /** A run that has ended meanwhile leaves nothing to be done: whoever wants it to go on, or to begin, wants more. */
  endedIsDone: boolean;
}

/** Who was shown is asked: a later run of the same Workflow Id is not. */
export type Target = Pick<RunSummary, 'workflowId' | 'runId' | 'operation' | 'partOf'>;

/** The runs that are asked, and where further ones are found. */
interface Wanted {
  targets: readonly Target[];
  /** Left out when the runs are named one by one. */
  later?: Later;
}

export interface Later {
  look: () => Promise<readonly RunSummary[]>;
  /** Whether the filter means it too, although it was not shown. The items of batches that were asked always are. */
  isMeant: (run: RunSummary) => boolean;
}

interface ActedOn {
  workflowId: string;
  /** `asked`: the run has taken it. `ended`: it had come to its end meanwhile. */
  outcome: 'asked' | 'ended' | 'failed';
  /** Why it has not taken it, where that is not as good. */
  error?: Pick<Problem, 'type' | 'message' | 'advice'>;
}

interface Acting {
  session: Session;
  gcore: GcoreWorkflows;
}

/** Asks these runs, and what comes meanwhile, and prints what became of each. Fails when one did not take it. */
export async function actOnRuns(acting: Acting, action: BulkAction, wanted: Wanted): Promise<void> {
  const { session } = acting;
  const results: ActedOn[] = [];
  const isOver = await askAll(acting, action, { wanted, results }).finally(() => {
    const rows = results.map(({ workflowId, outcome }) => [outcome, workflowId]);
    session.print(results, align(rows));
  });
  const failed = results.filter(({ error }) => error !== undefined);
  if (failed.length > 0) throw notAll(action.verb, failed, results.length);
  if (!isOver) throw stillComing(action.verb);
}

const AT_ONCE = 10;

/** A few at the same time, in this order. */
export async function inTurn<T, R>(
  targets: readonly T[],
  ask: (target: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const some of chunksOf(targets, AT_ONCE)) {
    results.push(...(await Promise.all(some.map((target) => ask(target)))));
  }
  return results;
}

function isBatch({ operation }: Target): boolean {
  return operation === Operation.runBatch;
}

/** `isFound`: a filter has found the runs, so one that has ended meanwhile is no failure. Whoever names a run means it. */
type Ask = BulkAction & { isFound: boolean };

async function askInOrder(
  acting: Acting,
  action: Ask,
  targets: readonly Target[],
): Promise<ActedOn[]> {
  const ask = (target: Target) => askOne(acting, action, target);
  if (action.reach === undefined) return inTurn(targets, ask);
  const batches = targets.filter(isBatch);
  const others = targets.filter((target) => !isBatch(target));
  const parts = action.reach === 'frees' ? [others, batches] : [batches, others];
  const results: ActedOn[] = [];
  for (const part of parts) results.push(...(await inTurn(part, ask)));
  return results;
}

async function askOne(
  { session, gcore }: Acting,
  { act, isFound, endedIsDone }: Ask,
  target: Target,
): Promise<ActedOn> {
  const { workflowId } = target;
  try {
    await act(gcore, target);
    return { workflowId, outcome: 'asked' };
  } catch (error) {
    const outcome = isFound && error instanceof RunEndedError ? 'ended' : 'failed';
    if (outcome === 'ended' && endedIsDone) return { workflowId, outcome };
    const { type, message, advice } = toProblem(error, session.hint);
    return { workflowId, outcome, error: { type, message, advice } };
  }
}

/** A list of the server shows what has begun within this time. */
const SHOWN_WITHIN_MS = 3_000;

export function untilShown(session: Session): Promise<void> {
  return delay(session, SHOWN_WITHIN_MS);
}

const MOST_LOOKS = 20;

interface Asking {
  wanted: Wanted;
  /** Of all that were asked so far. */
  results: ActedOn[];
}

/** Asks, and looks again until nothing new has come. False when it still comes. */
async function askAll(
  acting: Acting,
  action: BulkAction,
  { wanted, results }: Asking,
): Promise<boolean> {
  const { later } = wanted;
  let { targets } = wanted;
  const batches: Target[] = [];
  const asked = new Map<string, Target>();
  for (let looks = 1; looks <= MOST_LOOKS; looks++) {
    const answers = await askInOrder(acting, { ...action, isFound: later !== undefined }, targets);
    results.push(...answers);
    for (const target of targets) asked.set(target.workflowId, target);
    batches.push(...batchesOf(targets, answers));
    if (later === undefined || action.reach === undefined) return true;
    if (action.reach === 'ends' && !(await untilEnded(acting, batches))) return false;
    await untilShown(acting.session);
    const runs = (await later.look()).filter(
      ({ phase }) => action.reach !== 'frees' || HELD_UP.has(phase),
    );
    const meant = await meantOf(acting, await newIn(acting, runs, asked), { later, batches });
    targets = askedAlone(action, meant, asked);
    if (targets.length === 0) return true;
    const count = plural(targets.length, 'run');
    acting.session.progress.notice(`Asked too, because it came meanwhile: ${count}.`);
  }
  return false;
}

/**
 * Those that are asked themselves. A run that is to end takes its parts along, and some of them undo its work: whoever ended
 * these would leave what the run has made.
 */
export function askedAlone<T extends Target>(
  { reach }: Pick<BulkAction, 'reach'>,
  runs: readonly T[],
  asked: ReadonlyMap<string, Target> = new Map(),
): T[] {
  if (reach !== 'ends') return [...runs];
  const wholes = new Set([...asked.keys(), ...runs.map(({ workflowId }) => workflowId)]);
  return runs.filter(({ partOf = '' }) => !wholes.has(partOf));
}

/** Those that have not been asked. One that goes on in a new history has another Run Id there, and is the same run. */
async function newIn(
  { gcore }: Acting,
  runs: readonly RunSummary[],
  asked: ReadonlyMap<string, Target>,
): Promise<RunSummary[]> {
  const isNew = await inTurn(runs, async ({ workflowId, runId }) => {
    const before = asked.get(workflowId);
    if (before === undefined || before.runId === runId) return before === undefined;
    return (await orEnded(gcore.summary(before))) === undefined;
  });
  return runs.filter((_, at) => isNew[at]);
}

/** The batches among them that have been asked, or that have ended. */
function batchesOf(targets: readonly Target[], answers: readonly ActedOn[]): Target[] {
  const failed = answers.filter(({ outcome }) => outcome === 'failed');
  const untaken = new Set(failed.map(({ workflowId }) => workflowId));
  return targets.filter((target) => isBatch(target) && !untaken.has(target.workflowId));
}

/**
 * Those of the later runs that are meant: by the filter, or because one of these batches has started them. Somebody may have
 * started the request of an item too, so the run itself says who has.
 */
async function meantOf(
  { gcore }: Acting,
  runs: readonly RunSummary[],
  { later, batches }: { later: Later; batches: readonly Target[] },
): Promise<RunSummary[]> {
  const ids = new Set(batches.map(({ workflowId }) => workflowId));
  const isMeant = await inTurn(runs, async (run) => {
    if (later.isMeant(run)) return true;
    if (ids.size === 0) return false;
    const seen = await orEnded(gcore.summary(run));
    return seen?.startedFor !== undefined && ids.has(seen.startedFor);
  });
  return runs.filter((_, at) => isMeant[at]);
}

const HELD_UP: ReadonlySet<RunSummary['phase']> = new Set(['paused', 'blocked']);

/** A batch ends when nothing of it can still be started. That of a lost worker is known half a minute later. */
const ENDED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 500;

async function untilEnded(
  { session, gcore }: Acting,
  batches: readonly Target[],
): Promise<boolean> {
  const until = session.io.clock.now() + ENDED_WITHIN_MS;
  for (;;) {
    const summaries = await inTurn(batches, (run) => orEnded(gcore.summary(run)));
    if (summaries.every((summary) => summary === undefined || summary.closedAt !== undefined))
      return true;
    if (session.io.clock.now() >= until) return false;
    await delay(session, LOOK_EVERY_MS);
  }
}

function delay({ io }: Session, ms: number): Promise<void> {
  return io.clock.delay(ms, new AbortController().signal);
}

/** `undefined`: it has ended, and another run of its request has begun. */
async function orEnded<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RunEndedError) return undefined;
    throw error;
  }
}

function stillComing(verb: string): CliError {
  return new CliError({
    type: 'StillComing',
    message: 'A batch of these has not ended, or runs still come: more may be started.',
    advice: `Repeat the command (${verb}). What has taken it before is not harmed by that.`,
    exitCode: ExitCode.someItemsFailed,
  });
}

const ADVICE = 'The others did. See what each of these says, and repeat the command for them.';
const ADVICE_ENDED =
  'What has ended takes it no more: see how it ended (explain ID), and start again what you still want. Repeat the command for the others.';

function notAll(verb: string, failed: readonly ActedOn[], all: number): CliError {
  const hasEnded = failed.some(({ outcome }) => outcome === 'ended');
  return new CliError({
    type: 'SomeFailed',
    message: `${failed.length} of ${plural(all, 'run')} did not take "${verb}".`,
    advice: hasEnded ? ADVICE_ENDED : ADVICE,
    exitCode: failed.length === all ? ExitCode.failed : ExitCode.someItemsFailed,
    faults: failed.map(({ workflowId, error }) => ({
      path: workflowId,
      message: error?.message ?? '',
    })),
  });
}
