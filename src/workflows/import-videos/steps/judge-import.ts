import { FailureType } from '../../../contract/failures.js';
import type { ImportCounts } from '../../../contract/operations/import-counts.js';
import type { Tolerate } from '../../../contract/operations/import-videos.js';

/** How many of so many videos may fail. */
function allowedFailures(tolerate: Tolerate, asked: number): number {
  return 'count' in tolerate ? tolerate.count : Math.floor((tolerate.percent * asked) / 100);
}

/** What a run that had too many failures says; `undefined` when it had not. */
export function tooManyFailed(
  counts: ImportCounts,
  tolerate: Tolerate,
  scope: 'canary' | 'all',
): { type: typeof FailureType.itemsFailed; message: string; advice: string } | undefined {
  const { asked, failed, untried, byClass } = counts;
  const tried = asked - untried;
  const allowed = allowedFailures(tolerate, scope === 'canary' ? tried : asked);
  if (failed <= allowed) return undefined;
  const classes = Object.entries(byClass)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
  const rest = untried === 0 ? '' : ` The other ${untried} were not tried.`;
  return {
    type: FailureType.itemsFailed,
    message: `${failed} of ${tried} videos failed (${classes}); ${allowed} may fail.${rest}`,
    advice:
      'Read the report of the run, mend what can be mended, and import the failed ones again: gcore-workflows import --rerun.',
  };
}
