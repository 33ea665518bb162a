import { describe, expect, it } from '@jest/globals';

import { reportLines } from '../../src/contract/report-lines.js';

describe('the lines of a report', () => {
  it('give one result per line of the input, in order', () => {
    const report = {
      outcome: 'viewable',
      lines: '2-8 11',
      videos: [
        { lines: '2-4', ids: '100-102' },
        { lines: '6-8', ids: '7 9 8' },
      ],
      failed: [
        { class: 'encoding', text: 'Encoding has failed', lines: '3' },
        { class: 'refused', text: 'is not acceptable', lines: '5' },
      ],
      warned: [{ text: 'The storage limit has been exceeded', lines: '4' }],
      uploads: '6',
      pending: '8',
    } as const;
    const details = [
      { id: 9, slug: 'b' },
      { id: 101, slug: 'a' },
    ];

    expect([
      ...reportLines({
        ...report,
        videos: [...report.videos],
        failed: [...report.failed],
        warned: [...report.warned],
        details,
      }),
    ]).toEqual([
      { line: 2, id: 100, outcome: 'viewable' },
      {
        line: 3,
        id: 101,
        outcome: 'failed',
        class: 'encoding',
        text: 'Encoding has failed',
        video: { id: 101, slug: 'a' },
      },
      { line: 4, id: 102, outcome: 'viewable', text: 'The storage limit has been exceeded' },
      { line: 5, outcome: 'failed', class: 'refused', text: 'is not acceptable' },
      { line: 6, id: 7, outcome: 'created' },
      { line: 7, id: 9, outcome: 'viewable', video: { id: 9, slug: 'b' } },
      { line: 8, id: 8, outcome: 'pending' },
      { line: 11, outcome: 'untried' },
    ]);
  });
});
