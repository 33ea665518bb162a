import type { Finding, RunRecord } from '../../world/records.js';
import { isOfRun, type Facts } from '../facts/facts.js';
import { nameOf, isAliveIn, rowOf } from '../facts/rows.js';
import { failureTypeOf } from '../facts/status.js';
import { at as valueAt } from '../facts/values.js';
import { findingOf } from './findings.js';

/** What a run has changed is not missing while it is there: one answer without it proves nothing. */
export function falseAbsence(facts: Facts): Finding[] {
  return facts.evidence.runs.flatMap((run) => {
    const { cloudAtEnd: cloud, failure, startedAt, closedAt = Infinity } = run;
    if (run.state !== 'failed' || failureTypeOf(failure) !== 'NotFound') return [];
    const words = wordsOf(failure);
    const root = facts.rootOf(run.workflowId);
    const changed = facts.acts
      .filter(isOfRun)
      .filter(({ workflowId }) => facts.rootOf(workflowId) === root)
      .filter(({ at }) => at >= startedAt && at <= closedAt)
      .flatMap(({ effects }) => effects.filter(({ isConsequence }) => isConsequence !== true));
    const there = changed.find(({ id, ...ref }) => {
      return (
        cloud !== undefined &&
        words.has(id) &&
        isAliveIn(cloud, { ...ref, id }) &&
        isInRegionOf(run, rowOf(cloud, ref.rows, id))
      );
    });
    if (there === undefined) return [];
    const says = `it ended as NotFound, and the ${nameOf(there.rows)} that it has changed is there`;
    return [findingOf('false absence', run, says)];
  });
}

/** A person may have corrected the region since: what is somewhere else is missing there. */
function isInRegionOf({ input }: RunRecord, row: object | undefined): boolean {
  const [asked, is] = [valueAt(input, 'regionId'), valueAt(row, 'regionId')];
  return asked === undefined || is === undefined || asked === is;
}

/** Without what it names as still there. */
function wordsOf(failure: unknown): Set<string> {
  const said = JSON.stringify(failure, (key, value: unknown) => {
    if (key === 'resources') return undefined;
    return typeof value === 'string' ? value.split(' Still there: ')[0] : value;
  });
  return new Set(said.split(/[^\w-]+/));
}
