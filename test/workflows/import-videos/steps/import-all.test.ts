import { describe, expect, it } from '@jest/globals';

import { adviceFor } from '../../../../src/workflows/import-videos/steps/import-all.js';

describe('the failure of an import', () => {
  it('names the command that imports the failed videos again', () => {
    expect(adviceFor('import-videos/default/may')).toContain(
      '`gcore-workflows retry import-videos/default/may`',
    );
  });

  it('names every argument of the command that takes one class', () => {
    expect(adviceFor('may')).toContain(
      'gcore-workflows import FILE --request-id NEW --rerun RESULTS --class CLASS',
    );
  });

  it.each([
    ['my own; rm', "'my own; rm'"],
    ["it's", String.raw`'it'\''s'`],
  ])('quotes the strange id %s for a shell', (workflowId, quoted) => {
    expect(adviceFor(workflowId)).toContain(`gcore-workflows retry ${quoted}\``);
  });
});
