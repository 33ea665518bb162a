/** Classifies the error text of a task. Free of zod, so workflow code may import its values. */
import type { TaskErrorType } from '../../engine/core/tasks.js';
import { FailureType } from '../../engine/core/failures.js';

const CAPACITY =
  /no valid host|(?:not enough|no|insufficient|lack of) (?:free |available )?(?:capacity|resources|hosts)|out of (?:capacity|stock)|sold out|capacity (?:is )?(?:unavailable|exhausted)/i;
const QUOTA = /quota|limit (?:is |was |has been )?exceeded/i;

/**
 * Why a task ended in ERROR, judged by its free text. A quota or a lack of capacity can be solved by
 * a person or by waiting; everything else is a failure. Source: error handling guide, which does not
 * specify the texts.
 */
export function classifyTaskError(text: string): TaskErrorType {
  if (QUOTA.test(text)) return FailureType.quotaExceeded;
  return CAPACITY.test(text) ? FailureType.capacityUnavailable : FailureType.taskFailed;
}
