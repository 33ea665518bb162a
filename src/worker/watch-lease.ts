import { setTimeout as delay } from 'node:timers/promises';

import {
  ActivityNotFoundError,
  Client,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { Runtime, type NativeConnection } from '@temporalio/worker';

import { createCodec, type Codec } from '../codec/codec.js';
import { toDataConverter } from '../codec/data-converter.js';
import { WORKFLOW_TASK_QUEUE } from '../contract/wire/names.js';
import {
  LEASE_WATCHES,
  Urgency,
  WATCH_LEASE_ACTIVITY,
  watchLeaseIdFor,
} from '../engine/core/names.js';
import type { leaseWatches } from '../engine/wait/lease-watches.js';
import { createIdentity } from './identity.js';

/** Tells the Temporal server that this process, which watches tasks, lives. */
export interface WatchLease {
  /** For the workers that watch, of all accounts of the process, and for no other. */
  readonly identity: string;
  /** A worker that watches. */
  join(): Watching;
}

export interface Watching {
  /** It has a watch. From the first one on, the process heartbeats. */
  hold(): void;
  /** It has none any more. After the last worker has left, no one takes over anything. */
  leave(): Promise<void>;
  /** It has failed, and what it had is to be taken over, although the process lives. */
  lose(error: unknown): Promise<void>;
}

export interface WatchLeaseOptions {
  connection: NativeConnection;
  namespace: string;
  codec?: Codec;
  workflowTaskQueue?: string;
}

/** Five fit into the heartbeat timeout of the lease. */
const BEAT_EVERY_MS = 3_000;
const ANSWER_WITHIN_MS = 5_000;

/** One for all accounts of a process: it dies as a whole. */
export function createWatchLease(options: WatchLeaseOptions): WatchLease {
  const identity = createIdentity({ watches: false });
  const calls = callsOf(options, identity);
  const holding = new Set<Watching>();
  let kept: Promise<void> | undefined;
  let left = new AbortController();
  /** Until the last worker has left. Who leaves waits for this lease alone, not for one that another begins meanwhile. */
  const keep = async (): Promise<void> => {
    left = new AbortController();
    while (!left.signal.aborted) {
      await calls.beat();
      await pause(BEAT_EVERY_MS, left.signal);
    }
    await calls.end();
    kept = holding.size > 0 ? keep() : undefined;
  };
  const join = (): Watching => {
    const watching: Watching = {
      hold: () => {
        holding.add(watching);
        kept ??= keep();
      },
      leave: async () => {
        if (!holding.delete(watching) || holding.size > 0) return;
        left.abort();
        await kept;
      },
      lose: async (error) => {
        await calls.fail(error);
        await watching.leave();
      },
    };
    return watching;
  };
  return { identity, join };
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stop, ref: false }).catch(() => undefined);
}

const NOT_HEARD =
  'The Temporal server does not hear that this process watches tasks; others may repeat its watches';

/** What the process says to the server. Without an answer it says the next thing; the server then hears nothing. */
function callsOf(options: WatchLeaseOptions, identity: string) {
  const { connection, namespace, codec = createCodec(undefined) } = options;
  const { workflowTaskQueue: taskQueue = WORKFLOW_TASK_QUEUE } = options;
  const client = new Client({ connection, namespace, dataConverter: toDataConverter(codec) });
  const lease = { workflowId: watchLeaseIdFor(identity), activityId: WATCH_LEASE_ACTIVITY };
  let isTroubled = false;
  const attempt = async (call: () => Promise<void>): Promise<void> => {
    try {
      await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, call);
      isTroubled = false;
    } catch (error) {
      if (!isTroubled) Runtime.instance().logger.warn(NOT_HEARD, { error });
      isTroubled = true;
    }
  };
  return {
    /** Begins the lease anew where it has run out: the process was silent for a while. */
    beat: () =>
      attempt(async () => {
        const isThere = await whetherKnown(client.activity.heartbeat(lease));
        if (!isThere) await begin(client, { identity, taskQueue });
      }),
    /** Has what this process has taken over at once. A later heartbeat begins a new lease. */
    fail: (error: unknown) =>
      attempt(async () => {
        await whetherKnown(client.activity.fail(lease, error));
      }),
    /** Nothing is to be taken over any more. */
    end: () =>
      attempt(async () => {
        await whetherKnown(client.activity.complete(lease, undefined));
      }),
  };
}

async function whetherKnown(call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof ActivityNotFoundError) return false;
    throw error;
  }
}

async function begin(
  client: Client,
  { identity, taskQueue }: { identity: string; taskQueue: string },
): Promise<void> {
  try {
    await client.workflow.start<typeof leaseWatches>(LEASE_WATCHES, {
      workflowId: watchLeaseIdFor(identity),
      taskQueue,
      args: [{ identity }],
      priority: { priorityKey: Urgency.incident },
    });
  } catch (error) {
    // No worker has begun it yet, or another process is about to take over what this one had.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
