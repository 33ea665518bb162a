import { describe, expect, it } from '@jest/globals';

import {
  attributeFaults,
  filterFaults,
  LISTED_PHASES,
  toQuery,
  type RunFilter,
} from '../../src/client/run-filter.js';
import { Held } from '../../src/contract/wire/names.js';
import { Phase } from '../../src/engine/core/status.js';

/** Without the part that every query has. */
function clausesOf(filter: RunFilter, hasAttributes = true): string {
  const common = /^WorkflowType IN \([^)]*\) AND ExecutionStatus != "ContinuedAsNew"( AND )?/;
  return toQuery(filter, hasAttributes).replace(common, '');
}

describe('a filter', () => {
  it.each<[RunFilter, string]>([
    [{}, ''],
    [{ phase: 'succeeded' }, 'ExecutionStatus = "Completed"'],
    [{ phase: 'timed-out' }, 'ExecutionStatus = "TimedOut"'],
    [{ phase: 'blocked' }, 'CloseTime IS NULL AND GcorePhase = "blocked"'],
    [{ phase: 'running' }, 'CloseTime IS NULL AND (GcorePhase = "running" OR GcorePhase IS NULL)'],
    [{ account: 'blue' }, '(GcoreAccount IN ("blue") OR GcoreAccount IS NULL)'],
    [{ resource: '8942' }, 'GcoreResourceId = "8942"'],
    [
      { labels: { team: 'media', group: 'a' } },
      'GcoreLabels = "group=a" AND GcoreLabels = "team=media"',
    ],
    [
      { search: '2001:DB8::7', operation: 'protectIp', account: ['blue', 'red'] },
      `(GcoreAccount IN ("blue", "red") OR GcoreAccount IS NULL) AND (${[
        'WorkflowId STARTS_WITH "2001:DB8::7"',
        'WorkflowId STARTS_WITH "protect-ip/blue/2001:DB8::7"',
        'WorkflowId STARTS_WITH "protect-ip/blue/2001:db8::7"',
        'WorkflowId STARTS_WITH "protect-ip/red/2001:DB8::7"',
        'WorkflowId STARTS_WITH "protect-ip/red/2001:db8::7"',
        'GcoreResourceId IN ("2001:DB8::7", "2001:db8::7")',
      ].join(' OR ')})`,
    ],
    [{ since: new Date(0) }, 'StartTime >= "1970-01-01T00:00:00.000Z"'],
    [{ open: true, query: 'A = 1 OR B = 2' }, 'CloseTime IS NULL AND (A = 1 OR B = 2)'],
  ])('%j is %j', (filter, clauses) => {
    expect(clausesOf(filter)).toBe(clauses);
  });

  it('without search attributes leaves out what is known otherwise', () => {
    expect(clausesOf({ phase: 'running', account: 'blue' }, false)).toBe('CloseTime IS NULL');
  });

  it('of an operation names that type alone', () => {
    expect(toQuery({ operation: 'protectIp' }, true)).toMatch(
      /^WorkflowType IN \("protectIp"\) AND /,
    );
  });

  it('knows what only the search attributes can tell', () => {
    const pathsOf = (filter: RunFilter) => attributeFaults(filter).map(({ path }) => path);

    expect(pathsOf({ phase: 'blocked', resource: 'x' })).toEqual(['phase', 'resource']);
    expect(pathsOf({ labels: { group: 'x' } })).toEqual(['labels']);
    expect(pathsOf({ phase: 'running', account: 'x' })).toEqual([]);
    expect(pathsOf({ phase: 'failed' })).toEqual([]);
  });

  it('from outside is refused with every fault', () => {
    const outside: object = { phase: 'waiting', operation: 'drop', since: new Date('never') };

    const labels = { group: 'x" OR "' };
    const faults = filterFaults({ ...outside, account: 'a" OR "b', resource: "x'", labels });

    expect(faults.map(({ path }) => path)).toEqual([
      ...['phase', 'operation', 'account', 'resource', 'labels', 'since'],
    ]);
  });

  it('can name every phase that a list shows', () => {
    const phases = new Set<string>([
      ...Object.values(Phase),
      ...Object.values(Held),
      ...['terminated', 'timed-out'],
    ]);
    phases.delete('waiting');

    expect(new Set<string>(LISTED_PHASES)).toEqual(phases);
  });
});
