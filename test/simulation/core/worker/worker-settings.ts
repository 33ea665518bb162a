import proto from '@temporalio/proto';
import type { native } from '@temporalio/core-bridge';
import type { temporal } from '@temporalio/proto';

import type { Draw } from '../../time/draw.js';
import { fromMs } from '../timestamps.js';
import type { StickyQueue, WorkerIdentity } from '../client/worker-calls.js';
import type { DeploymentVersion } from '../machines/run-state.js';

const { VersioningBehavior } = proto.temporal.api.enums.v1;

/** A UUID that follows from the seed. */
function drawUuid(draw: Draw): string {
  const hex = Array.from({ length: 32 }, () => draw.number(0, 15).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export function identityOf(options: native.WorkerOptions, draw: Draw): WorkerIdentity {
  const deployment = options.workerDeploymentOptions;
  return {
    identity: options.identity,
    namespace: options.namespace,
    taskQueue: options.taskQueue,
    instanceKey: drawUuid(draw),
    buildId: deployment?.version.buildId ?? options.buildId,
    usesBuildIdVersioning: deployment === null && options.useVersioning,
    deployment:
      deployment === null
        ? undefined
        : {
            deploymentName: deployment.version.deploymentName,
            buildId: deployment.version.buildId,
            isVersioned: deployment.useWorkerVersioning,
          },
  };
}

export function deploymentVersionOf(options: native.WorkerOptions): DeploymentVersion | undefined {
  const { workerDeploymentOptions, buildId } = options;
  if (workerDeploymentOptions !== null) {
    const { version } = workerDeploymentOptions;
    return { deploymentName: version.deploymentName, buildId: version.buildId };
  }
  return buildId === '' ? undefined : { deploymentName: '', buildId };
}

export function defaultBehavior(
  options: native.WorkerOptions,
): temporal.api.enums.v1.VersioningBehavior {
  const behavior = options.workerDeploymentOptions?.defaultVersioningBehavior ?? undefined;
  if (behavior === undefined) return VersioningBehavior.VERSIONING_BEHAVIOR_UNSPECIFIED;
  return behavior.type === 'pinned'
    ? VersioningBehavior.VERSIONING_BEHAVIOR_PINNED
    : VersioningBehavior.VERSIONING_BEHAVIOR_AUTO_UPGRADE;
}

/** The queue that only this worker polls, for the runs that it has cached. */
export function stickyQueueOf(options: native.WorkerOptions, draw: Draw): StickyQueue | undefined {
  if (options.maxCachedWorkflows === 0) return undefined;
  return {
    name: `${options.identity}-${drawUuid(draw).replaceAll('-', '')}`,
    scheduleToStartMs: fromMs(options.stickyQueueScheduleToStartTimeout),
  };
}

/** How many polls of a queue are open at a time. */
export function pollCount(behavior: native.PollerBehavior, most: number): number {
  const wished = behavior.type === 'simple-maximum' ? behavior.maximum : behavior.initial;
  return Math.max(1, Math.min(wished, most));
}

/** The polls for workflow tasks are divided between the normal and the sticky queue. */
export function workflowPollCounts(
  options: native.WorkerOptions,
  most: number,
): { normal: number; sticky: number } {
  const behavior = options.workflowTaskPollerBehavior;
  if (behavior.type === 'autoscaling') {
    const count = pollCount(behavior, most);
    return { normal: count, sticky: count };
  }
  const normal = Math.max(1, Math.floor(behavior.maximum * options.nonStickyToStickyPollRatio));
  const sticky = Math.max(1, behavior.maximum - normal);
  return { normal: Math.min(normal, most), sticky: Math.min(sticky, most) };
}

/** There is only one kind of error that may fail a run: nondeterminism. */
export function failsOnNondeterminism(
  options: native.WorkerOptions,
  workflowType: string,
): boolean {
  const forType = options.workflowTypesToFailureErrors[workflowType] ?? [];
  return options.workflowFailureErrors.length + forType.length > 0;
}
