import { expect, it } from '@jest/globals';

import { GrpcError } from '../base/grpc-error.js';
import { toDuration } from '../base/values.js';
import { fullSpec, nextTime, type Spec } from './spec.js';

function times(spec: Spec, after: string, count: number): string[] {
  const full = fullSpec(spec);
  const found: string[] = [];
  let at = nextTime(full, Date.parse(after));
  while (at !== undefined && found.length < count) {
    found.push(new Date(at).toISOString());
    at = nextTime(full, at);
  }
  return found;
}

it('counts an interval from 1970', () => {
  const interval = [{ interval: toDuration(3_600_000), phase: toDuration(420_000) }];
  expect(times({ interval }, '2026-01-01T00:10:00Z', 2)).toEqual([
    '2026-01-01T01:07:00.000Z',
    '2026-01-01T02:07:00.000Z',
  ]);
});

it('takes a time of the day by the clock of its zone', () => {
  const structuredCalendar = [{ hour: [{ start: 2 }], minute: [{ start: 30 }] }];
  const spec = { structuredCalendar, timezoneName: 'Europe/Berlin' };
  // On 29 March the clock goes from 02:00 to 03:00: there is no half past two.
  expect(times(spec, '2026-03-27T12:00:00Z', 3)).toEqual([
    '2026-03-28T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
    '2026-03-31T00:30:00.000Z',
  ]);
});

it.each([
  ['30 2 * * 1-5', ['2026-01-02T02:30:00.000Z', '2026-01-05T02:30:00.000Z']],
  ['*/20 4 1 * *', ['2026-01-01T04:00:00.000Z', '2026-01-01T04:20:00.000Z']],
  ['0 0 * feb sun', ['2026-02-01T00:00:00.000Z', '2026-02-08T00:00:00.000Z']],
  ['@hourly', ['2026-01-01T03:00:00.000Z', '2026-01-01T04:00:00.000Z']],
  ['0 12 29 2 *', ['2028-02-29T12:00:00.000Z']],
])('reads the cron line %s', (cron, expected) => {
  expect(times({ cronString: [cron] }, '2026-01-01T02:45:00Z', expected.length)).toEqual(expected);
});

it.each([{ cronString: ['99 2 * * *'] }, { cronString: ['1 2 3'] }, { timezoneName: 'Mars' }])(
  'refuses %j',
  (spec) => {
    expect(() => fullSpec(spec)).toThrow(GrpcError);
  },
);

it('ends at the end', () => {
  const spec = { cronString: ['@daily'], endTime: toDuration(Date.parse('2026-01-03T12:00:00Z')) };
  expect(times(spec, '2026-01-01T12:00:00Z', 5)).toEqual([
    '2026-01-02T00:00:00.000Z',
    '2026-01-03T00:00:00.000Z',
  ]);
});
