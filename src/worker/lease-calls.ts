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
import { repeatWatches } from './hand-over-watches.js';
import type { OpenRun } from './list-open-runs.js';

export interface WatchLeaseOptions {
  connection: NativeConnection;
  namespace: string;
  codec?: Codec;
  workflowTaskQueue?: string;
}

/** `unknown`: nobody has the lease, and it is about to be taken or to end. `begun`: it was so, and a new one begins. */
export type Heard = 'held' | 'begun' | 'unknown' | 'nothing';

/** What a process says of its lease to the server. Each call fails in silence, and says whether it was heard. */
export interface LeaseCalls {
  /** Begins the lease anew where it has run out: the process was silent for a while. */
  beat(): Promise<Heard>;
  /** Has the watches of this process in these runs repeated. */
  repeat(runs: readonly OpenRun[]): Promise<boolean>;
  /** Has what this process has taken over at once. A later heartbeat begins a new lease. */
  fail(error: unknown): Promise<boolean>;
  /** Nothing is to be taken over any more. */
  end(): Promise<boolean>;
}

const ANSWER_WITHIN_MS = 5_000;
const NOT_HEARD =
  'The Temporal server does not hear that this process watches tasks; others may repeat its watches';

export function createLeaseCalls(options: WatchLeaseOptions, identity: string): LeaseCalls {
  const { connection, namespace, codec = createCodec(undefined) } = options;
  const { workflowTaskQueue: taskQueue = WORKFLOW_TASK_QUEUE } = options;
  const client = new Client({ connection, namespace, dataConverter: toDataConverter(codec) });
  const lease = { workflowId: watchLeaseIdFor(identity), activityId: WATCH_LEASE_ACTIVITY };
  let isTroubled = false;
  const attempt = async (call: () => Promise<void>): Promise<boolean> => {
    try {
      await call();
      isTroubled = false;
      return true;
    } catch (error) {
      if (!isTroubled) Runtime.instance().logger.warn(NOT_HEARD, { error });
      isTroubled = true;
      return false;
    }
  };
  const inTime = (call: () => Promise<void>): Promise<boolean> =>
    attempt(() => client.withDeadline(Date.now() + ANSWER_WITHIN_MS, call));
  return {
    async beat() {
      let heard: Heard = 'nothing';
      await inTime(async () => {
        const isHeld = await whetherKnown(client.activity.heartbeat(lease));
        heard = isHeld ? 'held' : await begin(client, { identity, taskQueue });
      });
      return heard;
    },
    repeat: (runs) => attempt(() => repeatWatches({ connection, namespace }, identity, runs)),
    fail: (error) =>
      inTime(async () => {
        await whetherKnown(client.activity.fail(lease, error));
      }),
    end: () =>
      inTime(async () => {
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
): Promise<'begun' | 'unknown'> {
  try {
    await client.workflow.start<typeof leaseWatches>(LEASE_WATCHES, {
      workflowId: watchLeaseIdFor(identity),
      taskQueue,
      args: [{ identity }],
      priority: { priorityKey: Urgency.incident },
    });
    return 'begun';
  } catch (error) {
    // No worker has begun it yet, or another process is about to take over what this one had.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return 'unknown';
  }
}
