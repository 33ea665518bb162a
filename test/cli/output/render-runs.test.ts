import { describe, expect, it } from '@jest/globals';

import { fitRows, renderRuns } from '../../../src/cli/output/render-runs.js';
import type { RunSummary } from '../../../src/client/index.js';

const ID = 'provision-instance/default/order-4711';
const START = new Date('2026-05-04T03:02:00Z');
const RUN: RunSummary = {
  workflowId: ID,
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

  it('lose the middle of the last column when no form fits', () => {
    const [line = ''] = fitRows([[['running', ID]]], 40);

    expect(line).toBe('running  provision-insta…ault/order-4711');
    expect(line).toHaveLength(40);
  });

  it('keep some of it on a terminal that is far too narrow', () => {
    expect(fitRows([[['running', ID]]], 10)).toEqual(['running  provision-…rder-4711']);
  });
});

describe('a list of runs', () => {
  it.each([
    [200, ['running  2026-05-04T03:02:00.000Z  1 min 0 s', ID]],
    [72, ['running  05-04 03:02  1 min 0 s', ID]],
    [60, ['running  1 min 0 s', ID]],
    [40, ['running  1 min 0 s', 'provision-…rder-4711']],
  ])('fits a terminal of %d columns', (width, words) => {
    const [, line] = renderRuns([RUN], START.getTime() + 60_000, width);

    expect(line).toBe(words.join('  '));
  });
});
