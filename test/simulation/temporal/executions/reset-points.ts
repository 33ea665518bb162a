import { toLong, toTimestamp } from '../base/values.js';
import type { Execution } from '../model/execution.js';

/** Where a run could be reset to because another build went on with it from there. */
export function resetPointsOf(execution: Execution) {
  const earlier = execution.started.prevAutoResetPoints?.points ?? [];
  const { autoResetPoint, runId } = execution;
  if (autoResetPoint === undefined || earlier.length > 0) return earlier;
  return [
    {
      runId,
      firstWorkflowTaskCompletedId: toLong(autoResetPoint.eventId),
      buildId: autoResetPoint.buildId,
      createTime: toTimestamp(autoResetPoint.createdAt),
      resettable: true,
    },
  ];
}

const KEPT_MS = 24 * 3_600_000;

/** The reset points that a run takes over from the one before it, for as long as that one is kept. */
export function inheritedResetPoints(previous: Execution, now: number) {
  const expireTime = toTimestamp(now + KEPT_MS);
  return resetPointsOf(previous).map((point) => ({ expireTime, ...point }));
}
