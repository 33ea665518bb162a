import { describe, expect, it } from '@jest/globals';

import type { StepStatus } from '../../../src/contract/index.js';
import { progressOf } from '../../../src/gateway/pages/progress-line.js';

const NOW = Date.parse('2026-05-04T03:02:00.000Z');
const before = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

const stepWith = (note: string): StepStatus => ({
  ...{ name: 'write chunks', state: 'sending', taskIds: [], resources: [], note },
  startedAt: before(30),
});

describe('the progress of a run', () => {
  it('is what its open step has counted, and what is left at this pace', () => {
    expect(
      progressOf({ steps: [stepWith('3 of 12 chunks written; sending chunk 4')] }, NOW),
    ).toEqual({
      ...{ done: 3, of: 12, what: 'chunks', leftMs: 90_000 },
    });
  });

  it.each([
    ['0 of 12 chunks written', { done: 0, of: 12, what: 'chunks', leftMs: undefined }],
    ['12 of 12 chunks written', { done: 12, of: 12, what: 'chunks', leftMs: undefined }],
  ])('has no time left at %s', (note, progress) => {
    expect(progressOf({ steps: [stepWith(note)] }, NOW)).toEqual(progress);
  });

  it('is else the part of the usual time, also when that is over', () => {
    const waiting = { for: 'task t-1', since: before(40), typicalSeconds: 30 };

    expect(progressOf({ steps: [stepWith('status BUILD')], waiting }, NOW)).toEqual({
      ...{ done: 40_000, of: 30_000, leftMs: -10_000 },
    });
  });

  it('is not known where nothing is counted and nothing is usual', () => {
    const waiting = { for: 'a trace', since: before(40) };

    expect(progressOf({ steps: [stepWith('of 0 0')], waiting }, NOW)).toBeUndefined();
    expect(
      progressOf({ steps: [{ ...stepWith('1 of 2 keys'), endedAt: before(1) }] }, NOW),
    ).toBeUndefined();
  });
});
