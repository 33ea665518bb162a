/** The revisions of a store around one call of this run. */
export interface RevisionStep {
  from: number;
  to: number;
  /** How often the call may have been carried out. */
  attempts: number;
  /** How much the API says that the call changed. */
  changes: number;
}

export interface ForeignWrite {
  /** Number of the step, from 1. */
  chunk: number;
  from: number;
  to: number;
}

/**
 * Where the revision moved in a way that the calls of this run do not explain. How it grows is
 * documented nowhere: by one a call, or by what the call changes. Whichever explains more holds for
 * all steps, so two writers that happen to look like one are taken for one: this reports, the
 * comparison at the end decides.
 */
export function findForeignWrites(steps: readonly RevisionStep[]): ForeignWrite[] {
  const byCall = unexplained(steps, () => 1);
  const byChange = unexplained(steps, ({ changes }) => changes);
  return byCall.length <= byChange.length ? byCall : byChange;
}

function unexplained(
  steps: readonly RevisionStep[],
  growth: (step: RevisionStep) => number,
): ForeignWrite[] {
  return steps.flatMap((step, index) => {
    const { from, to, attempts } = step;
    const times = Array.from({ length: attempts + 1 }, (_, carriedOut) => carriedOut);
    const isExplained = times.some((carriedOut) => to - from === carriedOut * growth(step));
    return isExplained ? [] : [{ chunk: index + 1, from, to }];
  });
}
