import { describe, expect, it } from '@jest/globals';

import {
  createImportProgress,
  NOTHING_KNOWN,
} from '../../../../src/workflows/import-videos/steps/import-progress.js';

const AWAITED = { isAwaited: true, room: { first: 2, bytes: 176, each: 60 } };
const seen = { pending: '', missing: '', failed: [], warned: [] };

function begun() {
  const progress = createImportProgress(NOTHING_KNOWN, AWAITED);
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
    const after = createImportProgress(structuredClone(before.known()), AWAITED);

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

  it('keeps what the API says of the first videos, and of as many others as there is room for', () => {
    const progress = createImportProgress(NOTHING_KNOWN, AWAITED);
    const said = [21, 22, 23, 24, 25].map((id) => ({ id, slug: 'a' }));
    progress.made({ lines: '1-6', ids: '21-26', uploads: '', details: said });
    // Two of the others have room until their outcome is known.
    expect(progress.known().details).toEqual(said.slice(0, 4));
    expect(progress.details.keptOf('21-26')).toBe('21-26');

    const status = 'x'.repeat(28);
    const details = [24, 25, 26, 21].map((id) => ({ id, status }));
    progress.polled('21-26', { ...seen, pending: '22-23', details });

    const wanted = [
      { id: 21, slug: 'a', status },
      { id: 22, slug: 'a' },
      { id: 24, slug: 'a', status },
      { id: 25, status },
      { id: 23, slug: 'a' },
    ];
    expect(progress.known().details).toEqual(wanted);
    const next = createImportProgress(structuredClone(progress.known()), AWAITED);
    expect(next.known().details).toEqual(wanted);
    for (const one of [progress, next]) {
      expect(one.details.keptOf('21-26')).toBe('21-22 24-25');
      expect(one.details.left()).toBe(0);
    }
  });

  it('waits for nothing when it is enough that the videos are made', () => {
    const progress = createImportProgress(NOTHING_KNOWN, { ...AWAITED, isAwaited: false });
    progress.made({ lines: '1-2', ids: '1-2', uploads: '' });

    expect(progress.counts(2)).toMatchObject({ succeeded: 2, pending: 0 });
  });

  it('sums up texts when there are too many', () => {
    const progress = createImportProgress(NOTHING_KNOWN, AWAITED);
    for (let line = 1; line <= 1_000; line++) {
      progress.refused([line], { class: 'refused', text: `text ${line}` });
    }
    const { failed } = progress.known();

    expect(failed).toHaveLength(201);
    expect(failed.at(-1)).toEqual({ class: 'refused', text: 'another reason', lines: '201-1000' });
    expect(progress.counts(1_000)).toMatchObject({ failed: 1_000, untried: 0 });
  });

  it('fits into one payload of Temporal, whatever the outcome of 100,000 lines', () => {
    const progress = createImportProgress(NOTHING_KNOWN, AWAITED);
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
