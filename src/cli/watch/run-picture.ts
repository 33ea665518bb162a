import { toName, type AskedRun } from '../../client/ask-run.js';
import { accountOf, adviceToServe, isUnserved, withAccountSetting } from '../../client/pollers.js';
import type { GcoreWorkflows } from '../../client/index.js';
import type { Resource, StatusDocument } from '../../contract/index.js';
import type { Clock } from '../cli-io.js';
import { heldRunCommands } from '../output/render-asked.js';
import type { RunView } from '../output/render-status.js';
import type { Hint } from '../cli-error.js';

/** The known state of a watched run, and how to refresh it. */
export interface RunPicture {
  view: () => RunView;
  /** Queries the status. At most one query is open, because unanswered ones pile up. */
  refresh: () => Promise<void>;
  /** Queries the final steps after the end of the run, if a worker answers soon. */
  refreshLast: () => Promise<void>;
  /** Remembers queues that no worker polls. */
  setIdleQueues: (queues: readonly string[]) => void;
  setServerAway: () => void;
  /** Resources of the run, as far as they are known. */
  resources: () => Resource[];
}

export interface RunPictureDeps {
  gcore: Pick<GcoreWorkflows, 'status'>;
  clock: Clock;
  hint: Hint;
}

/** A slower answer is worth a remark. The server gives up only after half a minute. */
const SILENT_AFTER_MS = 5_000;
/** Of two queries: the open one may be older than the end. */
const LAST_ANSWER_WITHIN_MS = 5_000;

export function createRunPicture(run: AskedRun, deps: RunPictureDeps): RunPicture {
  const { workflowId } = run;
  const { gcore, clock, hint } = deps;
  let status: StatusDocument | undefined;
  let answeredAt = clock.now();
  let idleQueues: readonly string[] = [];
  let isServerAway = false;
  let open: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    try {
      status = await gcore.status(toName(run));
      answeredAt = clock.now();
      isServerAway = false;
    } catch {
      // `result` reports whether the run exists and how it ended.
    }
    open = undefined;
  };
  const refresh = (): Promise<void> => (open ??= ask());
  return {
    view() {
      const commands = heldRunCommands(workflowId, status, hint);
      const silentMs = clock.now() - answeredAt;
      const remarks = toRemarks({ workflowId, idleQueues, isServerAway, silentMs }, hint);
      return { workflowId, status, commands, remarks };
    },
    refresh,
    async refreshLast() {
      answeredAt = clock.now();
      // The answer to the open query may be older than the end of the run.
      const fresh = (open ?? Promise.resolve()).then(refresh);
      await settledWithin(LAST_ANSWER_WITHIN_MS, fresh, clock);
    },
    setIdleQueues(queues) {
      idleQueues = queues;
    },
    setServerAway() {
      isServerAway = true;
    },
    resources: () => (status?.steps ?? []).flatMap((step) => step.resources),
  };
}

interface Troubles {
  workflowId: string;
  idleQueues: readonly string[];
  isServerAway: boolean;
  silentMs: number;
}

/** Only the trouble that explains the others. */
function toRemarks(troubles: Troubles, hint: RunPictureDeps['hint']): string[] {
  const { workflowId, idleQueues, isServerAway, silentMs } = troubles;
  const account = accountOf(workflowId);
  if (isServerAway) return ['The Temporal server does not answer; trying again.'];
  if (isUnserved(account, idleQueues)) {
    const advice = adviceToServe(account, hint('worker'));
    return [`No worker serves the account "${account}": the run waits. To continue, ${advice}.`];
  }
  if (idleQueues.length > 0) {
    const names = idleQueues.map((name) => `"${name}"`).join(' and ');
    return [
      `No worker polls the task queue ${names}: the run waits. Start one${withAccountSetting(account)}: ${hint('worker')}`,
    ];
  }
  return silentMs > SILENT_AFTER_MS
    ? [
        'What is shown may be old: no worker has answered the status query for some seconds. The run itself is safe.',
      ]
    : [];
}

/** Waits for a promise for at most `ms`; then returns `undefined` and ignores the promise. */
export async function settledWithin<T>(
  ms: number,
  promise: Promise<T>,
  clock: Pick<Clock, 'delay'>,
): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, clock.delay(ms, done.signal).then(() => undefined)]);
  } finally {
    done.abort();
  }
}
