import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { Operation } from '../../../../src/contract/wire/names.js';
import { fromRanges, toRanges } from '../../../../src/engine/core/number-ranges.js';
import {
  DEFAULT_VIDEO_FIELDS,
  MOST_DETAILS_IN_RESULT,
  MOST_FIELD_BYTES,
  VIDEO_FIELDS,
  type VideoField,
} from '../../../../src/contract/wire/videos.js';
import { DEFAULT_POLL_POLICY } from '../../../../src/contract/wire/tasks.js';
import type { PreparedImportVideos } from '../../../../src/contract/wire/prepared.js';
import { createLedger } from '../../../../src/engine/run/ledger.js';
import { IMPORT_STEPS } from '../../../../src/workflows/import-videos/steps/check-items.js';
import { fromCuts, askedLines } from '../../../../src/workflows/import-videos/steps/asked-lines.js';
import {
  fitsOneRun,
  MAX_HANDED_BYTES,
  mostReportBytes,
  mostStateBytes,
  refuseTooScattered,
  roomForDetails,
} from '../../../../src/workflows/import-videos/steps/handed-size.js';
import {
  beginImport,
  toImport,
  toReport,
  toState,
} from '../../../../src/workflows/import-videos/steps/import-state.js';

const PREPARED: PreparedImportVideos = {
  account: 'default',
  onFailure: 'keep',
  onBlocked: 'wait',
  maker: 'namespace/run',
  waitFor: 'viewable',
  tolerate: { count: 0 },
  earlier: { digests: [] },
  marker: 'm',
  policy: { poll: DEFAULT_POLL_POLICY, reconcileGraceMs: 1, searchAttributes: true },
};

/** Two of three: no set of lines has a longer name. */
const SCATTERED = toRanges(
  Array.from({ length: 99_999 }, (_, at) => at + 1).filter((line) => line % 3 !== 0),
);
const OUTCOMES = ['done', 'pending', 'warned', 'failed', 'refused', 'upload'] as const;
type Outcome = (typeof OUTCOMES)[number];

const cut = (count: number) => ({ count, offset: 2 ** 30, bytes: 2 ** 24, digest: '0'.repeat(16) });

/** Details as long as the API can make them. */
function longestOf(id: number, fields: readonly VideoField[]) {
  const texts = fields.map((field) => [field, 'x'.repeat(MOST_FIELD_BYTES[field] - 2)] as const);
  return { id, ...Object.fromEntries(texts) };
}

function begin(lines: string, prepared = PREPARED) {
  const input = { manifest: { url: 'file:a.jsonl' }, lines };
  const count = [...fromRanges(lines)].length;
  const cuts = Array.from({ length: Math.ceil(count / 500) }, (_, at) =>
    cut(Math.min(500, count - at * 500)),
  );
  const batches = fromCuts(cuts, askedLines(lines));
  const steps = Object.values(IMPORT_STEPS);
  const ledger = createLedger({ operation: Operation.importVideos, steps }, () => undefined);
  return { input, prepared, ledger, startedAt: 0, batches };
}

/** Each batch is sent; ids are never neighbours, and each line has another outcome than the next. */
function importOf(lines: string, outcomeOf: (at: number) => Outcome, prepared = PREPARED) {
  const run = begin(lines, prepared);
  const current = beginImport(run, run, 0);
  const { progress } = current;
  let at = 0;
  for (const batch of run.batches) {
    const all = [...fromRanges(batch.lines)].map((line) => ({
      line,
      at,
      outcome: outcomeOf(at++),
    }));
    const of = (...wanted: Outcome[]) => all.filter(({ outcome }) => wanted.includes(outcome));
    const linesOf = (some: typeof all) => toRanges(some.map(({ line }) => line));
    const idsOf = (some: typeof all) => toRanges(some.map((one) => 1_000_000_000 + one.at * 2));
    const made = of('done', 'pending', 'warned', 'failed', 'upload');
    progress.made({ lines: linesOf(made), ids: idsOf(made), uploads: linesOf(of('upload')) });
    const text = 'x'.repeat(200);
    for (const one of of('refused')) {
      progress.refused([one.line], { class: 'refused', text: `${text}${one.at % 300}` });
    }
    progress.polled(idsOf(made), {
      pending: idsOf(of('pending')),
      missing: '',
      failed: of('failed').map((one) => ({
        class: 'encoding',
        text: `${text}${one.at % 300}`,
        ids: idsOf([one]),
      })),
      warned: of('warned').map((one) => ({ text: `${text}${one.at % 300}`, ids: idsOf([one]) })),
    });
    current.next += 1;
  }
  return { run, current };
}

/** As a million small objects and their text take: a third of a second, a thirtieth of the time of a workflow task. */
const plainWork = (): unknown =>
  JSON.parse(JSON.stringify(Array.from({ length: 1_000_000 }, (_, at) => ({ at }))));
const MOST_SHARE = 2;

function cpuMsOf(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const bytes = (value: unknown) => JSON.stringify(value).length;

const linesArbitrary = fc
  .uniqueArray(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 2_000 })
  .map((numbers) => toRanges(numbers.sort((a, b) => a - b)));

describe('what an import hands over', () => {
  it.each([
    ['two lines of three of 99,999', SCATTERED],
    ['all of 100,000 lines', '1-100000'],
  ])('fits into one payload with %s, whatever becomes of them', (_, lines) => {
    for (const all of [OUTCOMES, ['done', 'failed'], ['pending', 'pending', 'failed']] as const) {
      const { run, current } = importOf(lines, (at) => all[at % all.length] ?? 'done');

      expect(fitsOneRun(run)).toBe(true);
      const state = bytes([run.input, toState(run, current)]);
      expect(state).toBeLessThanOrEqual(mostStateBytes(run));
      expect(bytes(toReport(run, current))).toBeLessThanOrEqual(mostReportBytes(run));
      expect(Math.max(mostStateBytes(run), mostReportBytes(run))).toBeLessThan(MAX_HANDED_BYTES);
    }
  });

  it('takes little of the time of one workflow task, with 66,666 scattered lines that are pending', () => {
    const { run, current } = importOf(SCATTERED, () => 'pending');
    const state = toState(run, current);

    for (const act of [
      () => toState(run, current),
      () => toImport(run, state),
      () => toReport(run, current),
    ]) {
      expect(cpuMsOf(act) / cpuMsOf(plainWork)).toBeLessThan(MOST_SHARE);
    }
  });

  it.each([
    { of: 'all of a list of 50', lines: '1-50', fields: VIDEO_FIELDS, least: 50 },
    { of: 'a hundred of 20,000', lines: '1-20000', fields: DEFAULT_VIDEO_FIELDS, least: 100 },
    { of: 'more with less of each', lines: '1-20000', fields: ['slug'] as const, least: 1_000 },
    { of: 'none without fields', lines: '1-50', fields: [], least: 0 },
  ])('has room for the details of the first videos: $of', ({ lines, fields, least }) => {
    const prepared = { ...PREPARED, fields };
    const { run, current } = importOf(lines, (at) => OUTCOMES[at % 3] ?? 'done', prepared);
    const made = current.progress.ids().flatMap((ids) => [...fromRanges(ids)]);
    // All others are known before the first ones.
    const details = made.reverse().map((id) => longestOf(id, fields));
    current.progress.polled('', { pending: '', missing: '', failed: [], warned: [], details });

    const report = toReport(run, current);
    const kept = report.details ?? [];
    expect(kept.length).toBeGreaterThanOrEqual(least);
    const first = Math.min(least, MOST_DETAILS_IN_RESULT);
    expect(kept.slice(0, first)).toEqual(details.reverse().slice(0, first));
    const handed = [run.input, toState(run, current)];
    expect(Math.max(bytes(handed), bytes(report))).toBeLessThan(MAX_HANDED_BYTES);
  });

  it('has only the room for details that the outcomes of 100,000 lines leave', () => {
    const run = begin('1-100000', { ...PREPARED, fields: VIDEO_FIELDS });
    const { first, each, bytes: rest } = roomForDetails(run);

    expect(first).toBeGreaterThan(20);
    expect(mostStateBytes(run) + first * each + rest).toBeLessThan(MAX_HANDED_BYTES);
  });

  it('is never larger than the check has allowed for', () => {
    fc.assert(
      fc.property(
        linesArbitrary,
        fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 50 }),
        (lines, outcomes) => {
          const { run, current } = importOf(
            lines,
            (at) => outcomes[at % outcomes.length] ?? 'done',
          );

          const state = bytes([run.input, toState(run, current)]);
          expect(state).toBeLessThanOrEqual(mostStateBytes(run));
          expect(bytes(toReport(run, current))).toBeLessThanOrEqual(mostReportBytes(run));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('gives the next history the same lines, batches and outcomes', () => {
    fc.assert(
      fc.property(
        linesArbitrary,
        fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 50 }),
        (lines, outcomes) => {
          const { run, current } = importOf(
            lines,
            (at) => outcomes[at % outcomes.length] ?? 'done',
          );

          const next = toImport(run, structuredClone(toState(run, current)));

          expect(next.batches).toEqual(run.batches);
          expect(next.progress.known()).toEqual(current.progress.known());
          expect(toReport(run, next)).toEqual(toReport(run, current));
          expect([...next.progress.pending()]).toEqual([...current.progress.pending()]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is refused at the check when a caller writes its lines so long that it would not fit', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => at + 1).join(' ');

    expect(() => {
      refuseTooScattered(begin(lines));
    }).toThrow('too many and too scattered');
  });
});
