import { Option } from 'commander';

import type { GcoreWorkflows, StartedRun } from '../client/index.js';
import { OPERATIONS } from '../client/operations/index.js';
import { Urgency, type Operation, type Operations } from '../contract/index.js';
import { watchDeps, type Session } from './session.js';
import { watchRun } from './watch/watch-run.js';

/** `--urgency`, by default the urgency of the operation. */
export function urgencyOption(operation: Operation): Option {
  return new Option('--urgency <LEVEL>', 'which calls go first when many runs wait')
    .choices(Object.keys(Urgency))
    .default(OPERATIONS[operation].urgency);
}

interface Start<O extends Operation> {
  operation: O;
  requestId: string;
  input: Operations[O]['input'];
  urgency?: Urgency;
}

/** Starts the run, or joins the open run of this request, and prints its id. */
export async function startRun<O extends Operation>(
  session: Session,
  gcore: GcoreWorkflows,
  { operation, ...request }: Start<O>,
): Promise<StartedRun> {
  const { workflowId, alreadySucceeded, succeededAt } = await gcore.start(operation, request);
  session.progress.notice(
    alreadySucceeded ? `${describeSuccess(succeededAt)} Run ${workflowId}` : `Run ${workflowId}`,
  );
  return { workflowId, alreadySucceeded };
}

function describeSuccess(at: Date | undefined): string {
  const when = at === undefined ? 'before' : `on ${formatTime(at)}`;
  return `Already done: this request succeeded ${when}. Nothing new was started.`;
}

/** `22 Nov, 14:03 UTC` */
function formatTime(time: Date): string {
  const [, day = '', month = '', , clock = ''] = time.toUTCString().split(' ');
  return `${Number(day)} ${month}, ${clock.slice(0, 5)} UTC`;
}

/** What `--no-wait` prints instead of a result. */
export function printStarted(session: Session, { workflowId, alreadySucceeded }: StartedRun): void {
  session.print({ workflowId, alreadySucceeded }, [workflowId]);
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
  const { workflowId, alreadySucceeded } = run;
  if (alreadySucceeded) {
    session.printJson(await gcore.result(start.operation, workflowId));
    return;
  }
  const { result } = await watchRun({ workflowId, timeoutMs }, watchDeps(session, gcore));
  session.printJson(result);
}
