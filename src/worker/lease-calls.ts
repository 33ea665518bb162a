import { performance } from 'node:perf_hooks';

import { ActivityNotFoundError, Client } from '@temporalio/client';
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

export interface WatchLeaseOptions {
  connection: NativeConnection;
  namespace: string;
  codec?: Codec;
  workflowTaskQueue?: string;
}

/** `lost`: the server has heard too little of the process, and others take over what it has. */
export type LeaseAnswer = 'held' | 'lost' | 'nothing';

/** What a process says of its lease to the Temporal server. */
export interface LeaseCalls {
  /** Rejects when the server does not hear of it. */
  begin(): Promise<void>;
  /** Never rejects, as the next. */
  beat(): Promise<LeaseAnswer>;
  /** Its workers have left, and have told the server what has become of their watches. */
  end(): Promise<void>;
}

const ANSWER_WITHIN_MS = 3_000;
const NOT_HEARD =
  'The Temporal server does not hear that this process watches tasks; others may repeat its watches';

export function createLeaseCalls(options: WatchLeaseOptions, identity: string): LeaseCalls {
  const { connection, namespace, codec = createCodec(undefined) } = options;
  const { workflowTaskQueue: taskQueue = WORKFLOW_TASK_QUEUE } = options;
  const client = new Client({ connection, namespace, dataConverter: toDataConverter(codec) });
  const workflowId = watchLeaseIdFor(identity);
  const lease = { workflowId, activityId: WATCH_LEASE_ACTIVITY };
  const inTime = <T>(call: () => Promise<T>): Promise<T> =>
    client.withDeadline(Date.now() + ANSWER_WITHIN_MS, call);
  const isOpen = async (): Promise<boolean> => {
    const { closeTime } = await client.workflow.getHandle(workflowId).describe();
    return closeTime === undefined;
  };
  const begunAt = performance.now();
  const ageMs = () => Math.round(performance.now() - begunAt);
  /** A worker has begun the activity that the heartbeats belong to. */
  let isTaken = false;
  let isTroubled = false;
  return {
    begin: () =>
      inTime(async () => {
        await client.workflow.start<typeof leaseWatches>(LEASE_WATCHES, {
          workflowId,
          taskQueue,
          args: [{ identity }],
          // A process that has fallen silent may have taken its workflow task.
          workflowTaskTimeout: '3 seconds',
          priority: { priorityKey: Urgency.incident },
        });
      }),
    async beat() {
      try {
        const isHeld = await inTime(async () => {
          if (await isKnown(client.activity.heartbeat(lease, ageMs()))) isTaken = true;
          else return !isTaken && (await isOpen());
          return true;
        });
        isTroubled = false;
        return isHeld ? 'held' : 'lost';
      } catch (error) {
        if (!isTroubled) Runtime.instance().logger.warn(NOT_HEARD, { error });
        isTroubled = true;
        return 'nothing';
      }
    },
    async end() {
      await inTime(() => isKnown(client.activity.complete(lease, undefined))).catch(
        (error: unknown) => {
          Runtime.instance().logger.warn(NOT_HEARD, { error });
        },
      );
    },
  };
}

async function isKnown(call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof ActivityNotFoundError) return false;
    throw error;
  }
}
