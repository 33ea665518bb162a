import { plural } from '../../engine/core/text.js';
import type { ItemCounts } from '../../engine/core/status.js';
import type { Tolerate } from '../../contract/operations/bulk-input.js';

/** How many of the items may fail. */
function allowedFailures(tolerate: Tolerate, asked: number): number {
  return 'count' in tolerate ? tolerate.count : Math.floor((tolerate.percent * asked) / 100);
}

interface Judged {
  counts: ItemCounts;
  tolerate: Tolerate;
  scope: 'canary' | 'all';
  /** What one of them is called. */
  of: 'video' | 'item';
}

/** Why a run fails in which too many items failed; `undefined` when not too many did. */
export function judgeFailures({ counts, tolerate, scope, of }: Judged): string | undefined {
  const { asked, failed, untried, byClass } = counts;
  const tried = asked - untried;
  const allowed = allowedFailures(tolerate, scope === 'canary' ? tried : asked);
  if (failed <= allowed) return undefined;
  const classes = Object.entries(byClass)
    .sort(([, a], [, b]) => b - a)
    .map(([failureClass, count]) => `${count} ${failureClass}`)
    .join(', ');
  const rest = untried === 0 ? '' : ` The other ${untried} were not tried.`;
  return `${failed} of ${plural(tried, of)} failed (${classes}); ${allowed} may fail.${rest}`;
}
