import { describe, expect, it } from '@jest/globals';

import {
  createImportProgress,
  NOTHING_KNOWN,
} from '../../../../src/workflows/import-videos/steps/import-progress.js';

const seen = { pending: '', missing: '', failed: [], warned: [] };

function begun() {
  const progress = createImportProgress(NOTHING_KNOWN, true);
  progress.made({ lines: '1-5', ids: '11-15', uploads: '5' });
  progress.refused([6], { class: 'refused', text: 'bad name' });
  progress.polled('11-14', {
    ...seen,
    pending: '13',
    missing: '14',
    failed: [{ class: 'encoding', text: 'x', ids: '12' }],
    warned: [{ text: 'low on storage', ids: '11' }],
  });
  return progress;
}

describe('the progress of an import', () => {
  it('counts every line once', () => {
    expect(begun().counts(8)).toEqual({
      asked: 8,
      succeeded: 2,
      failed: 2,
      pending: 2,
      untried: 2,
      warned: 1,
      byClass: { encoding: 1, refused: 1 },
    });
  });

  it('names the videos of some lines', () => {
    const progress = begun();
    progress.made({ lines: '7-8', ids: '9 20', uploads: '' });

    expect(progress.idsOf('2-3 6-7')).toBe('9 12-13');
    expect(progress.idsOf('6')).toBe('');
  });

  it('is the same after the run has continued in a new history', () => {
    const before = begun();
    const after = createImportProgress(structuredClone(before.known()), true);

    expect(after.known()).toEqual(before.known());
    expect(after.counts(8)).toEqual(before.counts(8));
    expect([...after.pending()]).toEqual([
      [13, 3],
      [14, 4],
    ]);
    after.givenUp([13], { class: 'too-long', text: 'a day' });
    after.polled('14', seen);
    expect(after.counts(8)).toMatchObject({ succeeded: 3, failed: 3, pending: 0 });
  });

  it('waits for nothing when it is enough that the videos are made', () => {
    const progress = createImportProgress(NOTHING_KNOWN, false);
    progress.made({ lines: '1-2', ids: '1-2', uploads: '' });

    expect(progress.counts(2)).toMatchObject({ succeeded: 2, pending: 0 });
  });

  it('sums up texts when there are too many', () => {
    const progress = createImportProgress(NOTHING_KNOWN, true);
    for (let line = 1; line <= 1_000; line++) {
      progress.refused([line], { class: 'refused', text: `text ${line}` });
    }
    const { failed } = progress.known();

    expect(failed).toHaveLength(201);
    expect(failed.at(-1)).toEqual({ class: 'refused', text: 'another reason', lines: '201-1000' });
    expect(progress.counts(1_000)).toMatchObject({ failed: 1_000, untried: 0 });
  });

  it('fits into one payload of Temporal, whatever the outcome of 100,000 lines', () => {
    const progress = createImportProgress(NOTHING_KNOWN, true);
    const ids = (from: number) =>
      Array.from({ length: 500 }, (_, at) => 1_000_000_000 + 2 * (from + at)).join(' ');
    for (let from = 1; from < 100_000; from += 500) {
      progress.made({ lines: `${from}-${from + 499}`, ids: ids(from), uploads: '' });
    }
    progress.polled(progress.ids().join(' '), {
      ...seen,
      failed: [
        {
          class: 'encoding',
          text: 'x'.repeat(200),
          ids: progress
            .ids()
            .join(' ')
            .split(' ')
            .filter((_, at) => at % 2 === 0)
            .join(' '),
        },
      ],
    });
    const bytes = JSON.stringify(progress.known()).length;

    expect(bytes).toBeLessThan(1_700_000);
    expect(progress.counts(100_000)).toMatchObject({ succeeded: 50_000, failed: 50_000 });
  });
});
