import { toName, type AskedRun } from '../../client/ask-run.js';
import { accountOf } from '../../client/pollers.js';
import { isUnreachable } from '../../client/error-table.js';
import { RunCancelledError, type GcoreWorkflows } from '../../client/index.js';
import type { OperationResult } from '../../client/operations.js';
import {
  plannedIdOf,
  type Operation,
  type Planned,
  type StatusDocument,
} from '../../contract/index.js';
import type { Clock } from '../cli-io.js';
import { CliError, ExitCode, type Hint } from '../cli-error.js';
import type { Progress } from './progress.js';
import { createRunPicture, type RunPicture } from './run-picture.js';
import { toCancelled } from '../output/to-problem.js';

export interface WatchedRun extends AskedRun {
  /** After this time the watching ends. The run continues. */
  timeoutMs?: number | undefined;
}

/** A run that succeeded. The result of a plan is the plan, whatever its operation. */
export type CompletedRun =
  { isPlan: true; result: Planned } | ({ isPlan: false } & OperationResult);

export interface WatchDeps {
  gcore: Pick<GcoreWorkflows, 'status' | 'result' | 'planOf' | 'operationOf' | 'pollers'>;
  clock: Clock;
  progress: Progress;
  /** Ctrl-C ends the watching. The run continues. */
  interrupted: AbortSignal;
  /** Commands to copy: `hint('watch', id)`. */
  hint: Hint;
}

/** Shared by the parts of one watching. */
interface Watching extends WatchDeps, WatchedRun {
  picture: RunPicture;
  done: AbortSignal;
  /** Does nothing once the watching has ended. */
  show: () => void;
}

const TICK_MS = 1_000;
const POLLERS_EVERY_MS = 2_000;

/**
 * Shows a run until it ends, and returns its result. Rejects like `GcoreWorkflows.result`, and with a
 * `CliError` after a timeout or when a person detaches. The run then continues.
 */
export async function watchRun(run: WatchedRun, deps: WatchDeps): Promise<CompletedRun> {
  const end = await watchRunUntil(run, () => false, deps);
  if (end.isCompleted) return end.run;
  throw new TypeError('The watching stopped before the run ended.');
}

type WatchEnd =
  { isCompleted: true; run: CompletedRun } | { isCompleted: false; status: StatusDocument };

/** Like `watchRun`, but ends earlier when `isEnough` accepts a status. */
export async function watchRunUntil(
  run: WatchedRun,
  isEnough: (status: StatusDocument) => boolean,
  deps: WatchDeps,
): Promise<WatchEnd> {
  const controller = new AbortController();
  const picture = createRunPicture(run, deps);
  const done = controller.signal;
  const show = (): void => {
    if (!done.aborted) deps.progress.show(picture.view());
  };
  const watching: Watching = { ...deps, ...run, picture, done, show };
  void showStatus(watching);
  void lookForWorkers(watching);
  try {
    return await Promise.race([
      untilEnd(watching).then((completed): WatchEnd => ({ isCompleted: true, run: completed })),
      untilEnough(watching, isEnough),
      untilTimeout(watching),
      untilInterrupted(watching),
    ]);
  } catch (error) {
    if (!(error instanceof RunCancelledError)) throw error;
    throw new CliError(toCancelled({ error, resources: picture.resources() }, deps.hint));
  } finally {
    controller.abort();
    deps.progress.end();
  }
}

async function showStatus({ picture, show, clock, done }: Watching): Promise<void> {
  while (!done.aborted) {
    const tick = clock.delay(TICK_MS, done);
    await Promise.race([picture.refresh(), tick]);
    show();
    await tick;
  }
}

/** Reports idle queues only when two checks agree: a worker may be starting. */
async function lookForWorkers({ picture, ...watching }: Watching): Promise<void> {
  const { gcore, workflowId, clock, done } = watching;
  let before: readonly string[] = [];
  while (!done.aborted) {
    // Some servers do not let every client describe queues. Then there is no remark.
    const queues = await gcore.pollers(accountOf(workflowId)).catch(() => []);
    const idle = queues.filter(({ pollers }) => pollers === 0).map(({ taskQueue }) => taskQueue);
    picture.setIdleQueues(idle.filter((name) => before.includes(name)));
    before = idle;
    await clock.delay(POLLERS_EVERY_MS, done);
  }
}

async function untilEnd(watching: Watching): Promise<CompletedRun> {
  const { picture, show } = watching;
  try {
    return await completedRun(watching);
  } finally {
    await picture.refreshLast();
    show();
  }
}

async function completedRun(watching: Watching): Promise<CompletedRun> {
  const { gcore, workflowId, picture, clock, done } = watching;
  for (;;) {
    try {
      if (plannedIdOf(workflowId) !== undefined) {
        const plan = await gcore.planOf(workflowId, { onServerAway: picture.setServerAway });
        return { isPlan: true, result: { plan } };
      }
      const operation = await gcore.operationOf(workflowId);
      return { isPlan: false, ...(await resultOf(operation, watching)) };
    } catch (error) {
      if (done.aborted || !isUnreachable(error)) throw error;
      picture.setServerAway();
      await clock.delay(TICK_MS, done);
    }
  }
}

async function resultOf<O extends Operation>(
  operation: O,
  { gcore, picture, ...run }: Watching,
): Promise<OperationResult<O>> {
  const options = { onServerAway: picture.setServerAway };
  return { operation, result: await gcore.result(operation, toName(run), options) };
}

async function untilEnough(
  { picture, clock, done }: Watching,
  isEnough: (status: StatusDocument) => boolean,
): Promise<WatchEnd> {
  while (!done.aborted) {
    const { status } = picture.view();
    if (status !== undefined && isEnough(status)) return { isCompleted: false, status };
    await clock.delay(TICK_MS, done);
  }
  return new Promise(() => undefined);
}

async function untilTimeout(watching: Watching): Promise<never> {
  const { workflowId, timeoutMs, clock, hint, done } = watching;
  if (timeoutMs === undefined) return new Promise(() => undefined);
  await clock.delay(timeoutMs, done);
  throw new CliError({
    type: 'Timeout',
    message: `The run has not ended within ${timeoutMs / 1000} s. It continues.`,
    advice: `watch it again: ${hint('watch', workflowId)}`,
    exitCode: ExitCode.timeout,
    workflowId,
  });
}

function untilInterrupted({ workflowId, interrupted, hint }: Watching): Promise<never> {
  return new Promise((_resolve, reject) => {
    const detach = (): void => {
      reject(
        new CliError({
          type: 'Detached',
          message: 'No longer watching. The run continues.',
          advice: `watch it again: ${hint('watch', workflowId)}, or cancel it: ${hint('cancel', workflowId)}`,
          exitCode: ExitCode.detached,
          workflowId,
        }),
      );
    };
    if (interrupted.aborted) detach();
    interrupted.addEventListener('abort', detach);
  });
}
