/** The revisions of a store around one call of this run. */
export interface RevisionStep {
  from: number;
  to: number;
  /** How often the call may have been carried out. */
  attempts: number;
  /** How many changes the API reported for the call. */
  changes: number;
}

export interface ForeignWrite {
  /** Number of the step, from 1. */
  chunk: number;
  from: number;
  to: number;
}

/**
 * The steps in which the revision moved in a way that the calls of this run do not explain. The growth
 * of the revision is undocumented: by one per call, or by the number of changes. The rule that explains
 * more steps is taken for all. So two writers may look like one: this only reports, and the read-back
 * decides.
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
