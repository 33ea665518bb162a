import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  type WorkflowExecutionDescription,
} from '@temporalio/client';

import { FailureType } from '../../engine/core/failures.js';
import { reportQuery } from '../../contract/wire/messages.js';
import { toRanges } from '../../engine/core/number-ranges.js';
import {
  importReportSchema,
  type ImportReport,
  type ImportVideosInput,
} from '../../contract/operations/import-videos.js';
import { reportLines } from '../../contract/report-lines.js';
import { askRun } from '../ask-run.js';
import { NoAnswerError, RunFailedError } from '../errors.js';
import { GrpcCode, grpcCodeOf } from '../grpc-code.js';
import type { RunUpdatesDeps } from '../run-updates.js';
import { toRunError } from '../to-run-error.js';
import { withDeadline } from '../with-deadline.js';
import { RetryRefusedError } from './retry-refused-error.js';

/** The input of an import with only the lines that failed or were not tried. */
export function onlyFailedLines(input: ImportVideosInput, report: ImportReport): ImportVideosInput {
  const lines = [...reportLines(report)]
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'untried')
    .map(({ line }) => line);
  return { ...input, lines: toRanges(lines) };
}

/** Whether it knows of each line what became of it. An import that ended otherwise may have sent a batch whose answer is lost. */
export async function knowsEveryLine(
  { client }: RunUpdatesDeps,
  { workflowId, runId }: WorkflowExecutionDescription,
): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId, runId).result();
    return false;
  } catch (error) {
    const end = toRunError(workflowId, error);
    return end instanceof RunFailedError && end.type === FailureType.itemsFailed;
  }
}

/**
 * The lines that failed name videos of the list as it was. A list in the input, or one with a hash, is
 * the same; any other may have changed, and then its lines may be videos that exist.
 */
export function refuseOtherList(workflowId: string, { manifest }: ImportVideosInput): void {
  if (manifest === undefined || manifest.sha256 !== undefined) return;
  throw new RetryRefusedError(workflowId, 'list-may-differ');
}

/** The report of an import that has ended. @throws NoAnswerError */
export async function reportOf(
  { client, answerWithinMs: waitedMs }: RunUpdatesDeps,
  workflowId: string,
): Promise<ImportReport> {
  try {
    const answer = withDeadline(client, waitedMs, () => askRun(client, workflowId, reportQuery));
    return importReportSchema.parse(await answer);
  } catch (error) {
    const isUnanswered =
      isGrpcDeadlineError(error) ||
      isGrpcCancelledError(error) ||
      grpcCodeOf(error) === GrpcCode.failedPrecondition;
    if (!isUnanswered) throw toRunError(workflowId, error);
    throw new NoAnswerError(workflowId, { update: 'retry', waitedMs, mayStillCome: false });
  }
}
