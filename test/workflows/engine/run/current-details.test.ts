import { describe, expect, it } from '@jest/globals';

import {
  statusDocumentSchema,
  type StatusDocument,
} from '../../../../src/contract/status-document.js';
import { toMarkdown } from '../../../../src/workflows/engine/run/current-details.js';

const DOCUMENT: StatusDocument = {
  version: 1,
  operation: 'provisionInstance',
  phase: 'running',
  steps: [
    {
      name: 'create instance',
      state: 'verified',
      taskIds: ['t-1'],
      resources: [
        { kind: 'instance', id: 'i-1' },
        { kind: 'volume', id: 'v-1' },
      ],
      note: 'its answer was lost',
    },
    { name: 'verify instance', state: 'planned', taskIds: [], resources: [] },
  ],
};

describe('toMarkdown', () => {
  it('shows the phase and one row per step', () => {
    const text = toMarkdown(DOCUMENT);

    expect(text.split('\n')).toEqual([
      '**running**',
      '',
      '| step | state | known |',
      '| --- | --- | --- |',
      '| create instance | verified | instance `i-1`, volume `v-1`, task `t-1`, its answer was lost |',
      '| verify instance | planned |  |',
    ]);
  });

  it('keeps a note in its cell, whatever it contains', () => {
    const step = { name: 'a', state: 'failed', taskIds: [], resources: [], note: 'a | b\n  c' };

    const text = toMarkdown(statusDocumentSchema.parse({ ...DOCUMENT, steps: [step] }));

    expect(text.split('\n').at(-1)).toBe('| a | failed | a \\| b c |');
  });

  it('says what the run waits for, what is usual and when it looks again', () => {
    const text = toMarkdown({
      ...DOCUMENT,
      phase: 'waiting',
      waiting: {
        for: 'task t-1',
        state: 'RUNNING',
        since: '05:07:31',
        typicalSeconds: 30,
        nextCheckAt: '05:07:46',
      },
    });

    expect(text).toContain(
      '\n\nWaiting for task t-1 (RUNNING) since 05:07:31, usually done in 30 s; next look at 05:07:46.',
    );
  });

  it('leaves out unknown facts of a wait', () => {
    const text = toMarkdown({ ...DOCUMENT, waiting: { for: 'task t-1', since: '05:07:31' } });

    expect(text).toMatch(/\n\nWaiting for task t-1 since 05:07:31\.$/);
  });

  it('says why a run is blocked and what to do', () => {
    const text = toMarkdown({
      ...DOCUMENT,
      phase: 'blocked',
      blocked: {
        type: 'QuotaExceeded',
        message: 'The quota is used up.',
        advice: 'Ask for more.',
        since: '05:07:31',
      },
    });

    expect(text).toMatch(
      /\n\nBlocked \(QuotaExceeded\) since 05:07:31\. The quota is used up\. Ask for more\.$/,
    );
  });
});
