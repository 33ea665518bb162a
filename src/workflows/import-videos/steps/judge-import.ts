import { quoteWord, plural } from '../../../engine/core/text.js';
import { FailureType } from '../../../engine/core/failures.js';
import type { ItemCounts } from '../../../engine/core/status.js';
import type { Tolerate } from '../../../contract/operations/import-videos.js';

/** How many of the videos may fail. */
function allowedFailures(tolerate: Tolerate, asked: number): number {
  return 'count' in tolerate ? tolerate.count : Math.floor((tolerate.percent * asked) / 100);
}

interface Judged {
  counts: ItemCounts;
  tolerate: Tolerate;
  scope: 'canary' | 'all';
  workflowId: string;
}

/** The failure of a run in which too many videos failed; `undefined` when not too many did. */
export function judgeFailures({
  counts,
  tolerate,
  scope,
  workflowId,
}: Judged): { type: typeof FailureType.itemsFailed; message: string; advice: string } | undefined {
  const { asked, failed, untried, byClass } = counts;
  const tried = asked - untried;
  const allowed = allowedFailures(tolerate, scope === 'canary' ? tried : asked);
  if (failed <= allowed) return undefined;
  const classes = Object.entries(byClass)
    .sort(([, a], [, b]) => b - a)
    .map(([failureClass, count]) => `${count} ${failureClass}`)
    .join(', ');
  const rest = untried === 0 ? '' : ` The other ${untried} were not tried.`;
  return {
    type: FailureType.itemsFailed,
    message: `${failed} of ${plural(tried, 'video')} failed (${classes}); ${allowed} may fail.${rest}`,
    advice: `Read the report of the run and fix what you can. Then import the failed videos again: \`gcore-workflows retry ${quoteWord(workflowId)}\`. For failures of one class only: \`gcore-workflows import FILE --request-id NEW --rerun RESULTS --class CLASS\`.`,
  };
}
