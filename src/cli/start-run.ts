import { Option } from 'commander';

import type { GcoreWorkflows, StartedRun } from '../client/index.js';
import { joinRequestOf, OPERATIONS } from '../contract/operations/index.js';
import { Operation, Urgency, type Operations } from '../contract/index.js';
import { watchDeps, type Session } from './session.js';
import { watchRun } from './watch/watch-run.js';

/** `--urgency`, by default the urgency of the operation. */
export function urgencyOption(operation: Operation): Option {
  return new Option('--urgency <LEVEL>', 'which calls go first when many runs wait')
    .choices(Object.keys(Urgency))
    .default(OPERATIONS[operation].urgency);
}

export interface Start<O extends Operation> {
  operation: O;
  requestId: string;
  input: Operations[O]['input'];
  urgency?: Urgency;
  join?: boolean | undefined;
}

/** Starts the run, or joins the run of this request, and prints its id. */
export async function startRun<O extends Operation>(
  session: Session,
  gcore: GcoreWorkflows,
  { operation, join, ...request }: Start<O>,
): Promise<StartedRun> {
  const run = await gcore.start(operation, { ...request, onConflict: onConflict(join) });
  const isBatch = operation === Operation.runBatch;
  const isAsked = isBatch && joinRequestOf(operation, request.input) !== undefined;
  announceRun(session, run, isAsked);
  return run;
}

/** What `--join` means for `start` of the client. */
export function onConflict(join = false): 'join' | 'refuse' {
  return join ? 'join' : 'refuse';
}

/**
 * Says on stderr whether the run is new, and prints its id.
 * @param isAsked an open batch that is joined asks its own runs
 */
export function announceRun({ progress }: Session, run: StartedRun, isAsked = false): void {
  progress.notice(isAsked && run.outcome === 'joined' ? ASKS_ITS_RUNS : describeOutcome(run));
  progress.notice(`Run ${run.workflowId}`);
}

const ASKS_ITS_RUNS =
  'Joined the open batch of this request. It asks its runs once more: what they hold lasts as long as asked, from now, and what has ended starts again.';

function describeOutcome({ outcome, succeededAt }: StartedRun): string {
  if (outcome === 'started') return 'Started.';
  if (outcome === 'joined') return 'Joined the open run of this request. Nothing new was started.';
  const when = succeededAt === undefined ? 'before' : `on ${formatTime(succeededAt)}`;
  return `Already done: this request succeeded ${when}. Nothing new was started.`;
}

/** `22 Nov, 14:03 UTC` */
function formatTime(time: Date): string {
  const [, day = '', month = '', , clock = ''] = time.toUTCString().split(' ');
  return `${Number(day)} ${month}, ${clock.slice(0, 5)} UTC`;
}

/** What `--no-wait` prints instead of a result. */
export function printStarted(session: Session, { workflowId, runId, outcome }: StartedRun): void {
  session.print({ workflowId, runId, outcome }, [workflowId]);
}

interface Following {
  wait: boolean;
  timeoutMs?: number | undefined;
}

/** Starts a run and prints its result; with `--no-wait` prints only its id. */
export async function startAndFollow<O extends Operation>(
  { session, gcore }: { session: Session; gcore: GcoreWorkflows },
  start: Start<O>,
  { wait, timeoutMs }: Following,
): Promise<void> {
  const run = await startRun(session, gcore, start);
  if (!wait) {
    printStarted(session, run);
    return;
  }
  if (run.outcome === 'succeeded-before') {
    session.printJson(await gcore.result(start.operation, run));
    return;
  }
  const { result } = await watchRun({ ...run, timeoutMs }, watchDeps(session, gcore));
  session.printJson(result);
}
