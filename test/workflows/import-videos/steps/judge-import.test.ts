import { describe, expect, it } from '@jest/globals';

import type { ItemCounts } from '../../../../src/engine/core/status.js';
import { judgeFailures } from '../../../../src/workflows/import-videos/steps/judge-import.js';

const COUNTS: ItemCounts = {
  asked: 4,
  succeeded: 3,
  failed: 1,
  pending: 0,
  untried: 0,
  warned: 0,
  byClass: { 'origin-not-found': 1 },
};

const judge = (workflowId: string) =>
  judgeFailures({ counts: COUNTS, tolerate: { count: 0 }, scope: 'all', workflowId });

describe('the failure of an import', () => {
  it('names the command that imports the failed videos again', () => {
    expect(judge('import-videos/default/may')?.advice).toContain(
      '`gcore-workflows retry import-videos/default/may`',
    );
  });

  it('names every argument of the command that takes one class', () => {
    expect(judge('may')?.advice).toContain(
      'gcore-workflows import FILE --request-id NEW --rerun RESULTS --class CLASS',
    );
  });

  it.each([
    ['my own; rm', "'my own; rm'"],
    ["it's", String.raw`'it'\''s'`],
  ])('quotes the strange id %s for a shell', (workflowId, quoted) => {
    expect(judge(workflowId)?.advice).toContain(`gcore-workflows retry ${quoted}\``);
  });
});
