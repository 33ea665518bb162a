import { performance } from 'node:perf_hooks';

import { cancellationSignal, Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

import {
  isTerminal,
  TaskState,
  type SeenAfter as EngineSeenAfter,
  type WatchedTask,
  type TaskReads,
} from '../engine/core/tasks.js';
import { pollDelay, type PollPolicy } from '../engine/core/run-policy.js';
import { withinMs } from '../engine/http/call-context.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { serverTime, timeOfRun, withHeartbeat } from '../engine/activities/attempt.js';
import type { TaskWatcher } from '../engine/activities/task-watcher.js';
import { withoutSecrets, type SecretsOfRun } from './task-secrets.js';
import type { CreatedResources, TaskView } from './tasks.js';
import type { DdosProfileView } from './ddos-profiles.js';
import type { InterfaceView, PlacedFloatingIp } from './floating-ip-moves.js';
import type { ExistingParts, PartIds } from './instance-parts.js';
import type { InstanceTarget } from './instance-actions.js';
import type { InstanceView } from './instances.js';
import type { VolumeView, Wanted } from './lookups.js';
import type { MadeSnapshotView, SnapshotTarget } from './snapshots.js';
import type { VolumeTarget } from './volume-actions.js';
import type { MadeVolumeView } from './volumes.js';
import type { Place } from '../contract/wire/names.js';

type MovedFloatingIp = Wanted & { instanceId: string };

/** What the run will read as soon as the task has finished: the watcher reads it at once. */
export interface ReadAfter {
  /** Where the one instance, volume or snapshot is that the task has made. */
  instanceIn?: Place;
  volumeIn?: Place;
  snapshotIn?: Place;
  /** What the task has changed. */
  instance?: InstanceTarget;
  volume?: Wanted;
  /** With the ports of the instance that it leads to then. */
  floatingIp?: MovedFloatingIp;
  /** All profiles of this address. */
  profilesOf?: Place & { address: string };
  /** Which of these still exist. */
  partsOf?: PartIds;
}

/** What a read has shown that began after the task had finished. */
export interface Seen {
  instance?: InstanceView;
  volume?: VolumeView;
  madeVolume?: MadeVolumeView;
  floatingIp?: PlacedFloatingIp & { interfaces: InterfaceView[] };
  snapshot?: MadeSnapshotView;
  profiles?: DdosProfileView[];
  parts?: ExistingParts;
}
type SeenAfter = EngineSeenAfter<Seen>;

export interface EndedTask extends TaskView {
  /** Missing where nothing was asked for, and where the read failed: then the run reads by itself. */
  seen?: SeenAfter;
}

export interface WatchDeps {
  watcher: Pick<TaskWatcher<TaskView>, 'watch' | 'trouble'>;
  secretsOfRun: SecretsOfRun;
  /** How long the read after the end of a task may take, its wait for a turn included; default 30 s. */
  readWithinMs?: number;
  reads: {
    getInstance(input: InstanceTarget): Promise<InstanceView>;
    getVolume(input: Wanted): Promise<VolumeView>;
    getMarkedVolume(input: VolumeTarget): Promise<MadeVolumeView>;
    getSnapshot(input: SnapshotTarget): Promise<MadeSnapshotView>;
    getPlacedFloatingIp(input: Wanted): Promise<PlacedFloatingIp>;
    listInterfaces(input: InstanceTarget): Promise<InterfaceView[]>;
    listDdosProfiles(input: Place & { address: string }): Promise<DdosProfileView[]>;
    listExistingParts(ids: PartIds): Promise<ExistingParts>;
  };
}

/** What all watches of an account say of a trouble is a write each, and it meets them all at once. */
const SAID_PER_SECOND = 50;
const MOST_SAID_AT_ONCE = 500;

/** Of the heartbeat timeout: each is a write, and one that is lost costs no more than a repeated watch. */
const BEAT_AFTER_SHARE = 0.75;

/** Fast waiting: one watcher looks for all runs of an account. */
export function createWatchActivities(deps: WatchDeps) {
  const { watcher, secretsOfRun } = deps;
  const maySay = createAllowance(SAID_PER_SECOND, MOST_SAID_AT_ONCE);
  return {
    /**
     * Ends with the task, or with the read that the run asks for after it. Heartbeats: when its worker
     * dies, another one continues. They say why the last look failed, those of thousands later than
     * those of a few. Fails as `NotWatching` when the tasks cannot be read.
     */
    async watchTask({ thenRead, ...task }: WatchedTask & WithRead): Promise<EndedTask> {
      const watch = async (): Promise<EndedTask> => {
        const waitedMs = timeOfRun(Context.current()) - task.since;
        const watched = await watcher.watch({ ...task, waitedMs }, cancellationSignal());
        const ended = await withoutSecrets(watched, secretsOfRun);
        const seen = await readAfter(deps, ended, thenRead);
        return seen === undefined ? ended : { ...ended, seen };
      };
      let said: string | undefined;
      const waiting = () => {
        const trouble = watcher.trouble();
        if (trouble !== said && maySay()) said = trouble;
        return said === undefined ? undefined : ({ waitingFor: 'task', trouble: said } as const);
      };
      return withHeartbeat(watch, waiting, BEAT_AFTER_SHARE);
    },
  };
}

/** Whether something may be done now, so many times a second in the long run. */
function createAllowance(perSecond: number, most: number): () => boolean {
  let left = most;
  let at = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(most, left + ((now - at) / 1_000) * perSecond);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

interface WithRead {
  thenRead?: ReadAfter;
}

/** Long enough for a turn that comes soon. In a busy account the run has its own. */
const READ_WITHIN_MS = 30_000;

/** One attempt, and not for long: the run reads by itself what is missing. */
async function readAfter(
  { reads, readWithinMs = READ_WITHIN_MS }: WatchDeps,
  { state, created }: TaskView,
  thenRead: ReadAfter | undefined,
): Promise<SeenAfter | undefined> {
  if (state !== TaskState.finished || thenRead === undefined) return undefined;
  const readAt = serverTime();
  try {
    return await withinMs(readWithinMs, async () => {
      const seen =
        (await readChanged(reads, thenRead)) ?? (await readMade(reads, created, thenRead));
      return seen && { readAt, ...seen };
    });
  } catch {
    return undefined;
  }
}

/** What the run has named before. */
async function readChanged(
  reads: WatchDeps['reads'],
  { instance, volume, floatingIp, profilesOf, partsOf }: ReadAfter,
): Promise<Seen | undefined> {
  if (instance !== undefined) return { instance: await reads.getInstance(instance) };
  if (volume !== undefined) return { volume: await reads.getVolume(volume) };
  if (floatingIp !== undefined) return { floatingIp: await readPlace(reads, floatingIp) };
  if (profilesOf !== undefined) return { profiles: await reads.listDdosProfiles(profilesOf) };
  if (partsOf !== undefined) return { parts: await reads.listExistingParts(partsOf) };
  return undefined;
}

async function readPlace(
  reads: WatchDeps['reads'],
  { id, instanceId, ...place }: MovedFloatingIp,
): Promise<NonNullable<Seen['floatingIp']>> {
  const seen = await reads.getPlacedFloatingIp({ ...place, id });
  return { ...seen, interfaces: await reads.listInterfaces({ ...place, instanceId }) };
}

/** The one thing that the task names. */
async function readMade(
  reads: WatchDeps['reads'],
  { instances, volumes, snapshots = [] }: CreatedResources,
  { instanceIn, volumeIn, snapshotIn }: ReadAfter,
): Promise<Seen | undefined> {
  const instanceId = onlyOne(instances);
  if (instanceIn !== undefined && instanceId !== undefined) {
    return { instance: await reads.getInstance({ ...instanceIn, instanceId }) };
  }
  const volumeId = onlyOne(volumes);
  if (volumeIn !== undefined && volumeId !== undefined) {
    return { madeVolume: await reads.getMarkedVolume({ ...volumeIn, volumeId }) };
  }
  const snapshotId = onlyOne(snapshots);
  if (snapshotIn !== undefined && snapshotId !== undefined) {
    return { snapshot: await reads.getSnapshot({ ...snapshotIn, snapshotId }) };
  }
  return undefined;
}

function onlyOne([id, another]: readonly string[]): string | undefined {
  return another === undefined ? id : undefined;
}

export type WatchActivities = ReturnType<typeof createWatchActivities>;

interface PollDeps {
  reads: Pick<TaskReads<TaskView>, 'getTask'>;
  poll: PollPolicy;
  secretsOfRun: SecretsOfRun;
}

/** Slow waiting, without a watcher. */
export function createPollActivities({ reads, poll, secretsOfRun }: PollDeps) {
  return {
    polls: {
      /**
       * Reads a task, and lets Temporal repeat the call until the task has ended: however long that takes,
       * the history does not grow. After `giveUpAt` it returns the task as it is. The failure that it
       * throws meanwhile is expected (BENIGN).
       */
      async pollTask({ taskId, type, since, giveUpAt = Infinity }: WatchedTask): Promise<TaskView> {
        const task = await reads.getTask({ taskId });
        const now = timeOfRun(Context.current());
        if (isTerminal(task.state) || now >= giveUpAt) {
          return withoutSecrets(task, secretsOfRun);
        }
        const elapsedMs = Math.max(now - since, 1);
        throw ApplicationFailure.create({
          type: 'TaskPending',
          message: `Task ${taskId} is ${task.state}`,
          category: ApplicationFailureCategory.BENIGN,
          nextRetryDelay: pollDelay({ type, elapsedMs, random: Math.random() }, poll),
        });
      },
    },
  } satisfies ActivityGroups;
}
