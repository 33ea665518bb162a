import type { GcoreWorkflows } from '../../client/index.js';
import type { Resource, StatusDocument } from '../../contract/index.js';
import type { Clock } from '../cli-io.js';
import { heldRunCommands } from '../output/held-run-commands.js';
import type { RunView } from '../output/render-status.js';
import type { Hint } from '../hint.js';

/** What is known of a run while it is watched, and how to learn more. */
export interface RunPicture {
  view: () => RunView;
  /** Asks for the status; at most one question is open, because unanswered ones pile up. */
  refresh: () => Promise<void>;
  /** After the end: the steps as they ended, if a worker says so soon. */
  refreshLast: () => Promise<void>;
  /** Queues that no worker polls. */
  setIdleQueues: (queues: readonly string[]) => void;
  setServerAway: () => void;
  /** What exists because of the run, as far as is known. */
  resources: () => Resource[];
}

export interface RunPictureDeps {
  gcore: Pick<GcoreWorkflows, 'status'>;
  clock: Clock;
  hint: Hint;
}

/** An answer that takes longer is worth a remark; the server gives up after half a minute only. */
const SILENT_AFTER_MS = 5_000;
const LAST_ANSWER_WITHIN_MS = 2_000;

export function createRunPicture(workflowId: string, deps: RunPictureDeps): RunPicture {
  const { gcore, clock, hint } = deps;
  let status: StatusDocument | undefined;
  let answeredAt = clock.now();
  let idleQueues: readonly string[] = [];
  let isServerAway = false;
  let open: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    try {
      status = await gcore.status(workflowId);
      answeredAt = clock.now();
      isServerAway = false;
    } catch {
      // Whether the run is there and how it ended is for `result` to say.
    }
    open = undefined;
  };
  const refresh = (): Promise<void> => (open ??= ask());
  return {
    view() {
      const commands = heldRunCommands(workflowId, status, hint);
      const silentMs = clock.now() - answeredAt;
      const remarks = toRemarks({ idleQueues, isServerAway, silentMs }, hint);
      return { workflowId, status, commands, remarks };
    },
    refresh,
    async refreshLast() {
      answeredAt = clock.now();
      // The open question may have been answered before the end.
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
  idleQueues: readonly string[];
  isServerAway: boolean;
  silentMs: number;
}

/** The one trouble that explains the others. */
function toRemarks(troubles: Troubles, hint: RunPictureDeps['hint']): string[] {
  const { idleQueues, isServerAway, silentMs } = troubles;
  if (isServerAway) return ['The Temporal server does not answer; trying again.'];
  if (idleQueues.length > 0) {
    const names = idleQueues.map((name) => `"${name}"`).join(' and ');
    return [`No worker polls the task queue ${names}: the run waits. Start one: ${hint('worker')}`];
  }
  return silentMs > SILENT_AFTER_MS
    ? ['No worker answers what the status is; the run itself is safe and goes on with a worker.']
    : [];
}

/** Waits for a promise, but not longer; it is left to itself then. */
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
