/** Meaning of a task's error text. Free of zod, so workflow code may import its values. */
import { FailureType } from './failures.js';

const CAPACITY =
  /no valid host|(?:not enough|no|insufficient|lack of) (?:free |available )?(?:capacity|resources|hosts)|out of (?:capacity|stock)|sold out|capacity (?:is )?(?:unavailable|exhausted)/i;
const QUOTA = /quota|limit (?:is |was |has been )?exceeded/i;

/**
 * What a task in ERROR died of, from its free text: a quota or a lack of capacity, which a person
 * or time can mend, or else a failure. Source: error handling guide; the texts are not specified.
 */
export function classifyTaskError(
  text: string,
): 'QuotaExceeded' | 'CapacityUnavailable' | 'TaskFailed' {
  if (QUOTA.test(text)) return FailureType.quotaExceeded;
  return CAPACITY.test(text) ? FailureType.capacityUnavailable : FailureType.taskFailed;
}
