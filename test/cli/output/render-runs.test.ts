import { describe, expect, it } from '@jest/globals';

import { fitRows, renderRuns } from '../../../src/cli/output/render-runs.js';
import type { RunSummary } from '../../../src/client/index.js';

const ID = 'provision-instance/default/order-4711';
const START = new Date('2026-05-04T03:02:00Z');
const RUN: RunSummary = {
  workflowId: ID,
  runId: 'r-1',
  operation: 'provisionInstance',
  state: 'RUNNING',
  phase: 'running',
  account: 'default',
  startedAt: START,
  closedAt: undefined,
};

describe('rows', () => {
  it('keep their first form without a width, and where it fits', () => {
    const forms = [[['running', 'long ago', ID]], [['running', ID]]];

    expect(fitRows(forms, undefined)).toEqual([`running  long ago  ${ID}`]);
    expect(fitRows(forms, 80)).toEqual([`running  long ago  ${ID}`]);
  });

  it('take the form that fits', () => {
    const forms = [[['running', 'long ago', ID]], [['running', ID]]];

    expect(fitRows(forms, 50)).toEqual([`running  ${ID}`]);
  });

  it('have their last column on lines of their own when no form fits: an id is to be pasted', () => {
    expect(
      fitRows(
        [
          [
            ['PHASE', 'WORKFLOW ID'],
            ['running', ID],
          ],
        ],
        40,
      ),
    ).toEqual([...['PHASE', 'WORKFLOW ID'], ...['running', ID]]);
  });
});

describe('a list of runs', () => {
  it.each([
    [200, ['running  2026-05-04T03:02:00.000Z  1 min 0 s', ID]],
    [72, ['running  05-04 03:02  1 min 0 s', ID]],
    [60, ['running  1 min 0 s', ID]],
  ])('fits a terminal of %d columns', (width, words) => {
    const [, line] = renderRuns([RUN], START.getTime() + 60_000, width);

    expect(line).toBe(words.join('  '));
  });

  it('has the ids on lines of their own where the terminal is narrow', () => {
    expect(renderRuns([RUN], START.getTime() + 60_000, 40).slice(2)).toEqual([
      'running  1 min 0 s',
      ID,
    ]);
  });
});
