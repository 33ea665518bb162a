import { describe, expect, it } from '@jest/globals';

import {
  checkTiming,
  describeTiming,
  toSpec,
  type WantedTiming,
} from '../../../src/client/schedules/schedule-timing.js';

function pathsOf(wanted: WantedTiming): string[] {
  const checked = checkTiming(wanted);
  return checked.ok ? [] : checked.faults.map(({ path }) => path);
}

function wordsOf(wanted: WantedTiming): string {
  const checked = checkTiming(wanted);
  return checked.ok ? describeTiming(checked.timing) : 'refused';
}

describe('the timing of a schedule', () => {
  it.each<[WantedTiming, string]>([
    [{ every: '6h' }, 'every 6 hours'],
    [{ every: '360 minutes' }, 'every 6 hours'],
    [{ every: '90m' }, 'every 90 minutes'],
    [{ at: '2:30' }, 'every day at 02:30, UTC'],
    [{ at: ['14:30', '02:30', '2:30'] }, 'every day at 02:30 and 14:30, UTC'],
    [{ at: '02:30', zone: 'Europe/Berlin' }, 'every day at 02:30, Europe/Berlin'],
    [{ cron: ' 30 2 * *  1-5', zone: 'Asia/Tokyo' }, 'cron 30 2 * * 1-5, Asia/Tokyo'],
  ])('%j has one form', (wanted, words) => {
    expect(wordsOf(wanted)).toBe(words);
  });

  it.each<[string, WantedTiming, string[]]>([
    ['none at all', {}, ['timing']],
    ['two', { every: '6h', at: '02:30' }, ['timing']],
    ['no time', { at: [] }, ['at']],
    ['times of no day', { at: ['24:00', '2:3', 'noon'] }, ['at', 'at', 'at']],
    ['a bare number', { every: '6' }, ['every']],
    ['an interval below a minute', { every: '30s' }, ['every']],
    ['parts of a second', { every: '60.5s' }, ['every']],
    ['an interval in a zone', { every: '6h', zone: 'Europe/Berlin' }, ['zone']],
    ['an unknown zone', { at: '02:30', zone: 'Europe/Bonn' }, ['zone']],
    ['an offset for a zone', { at: '02:30', zone: '+02:00' }, ['zone']],
    ['six fields', { cron: '0 30 2 * * *' }, ['cron']],
    ['a zone in the cron line', { cron: 'TZ=UTC 30 2 * * *' }, ['cron']],
    ['both kinds of days', { cron: '30 2 1 * 1' }, ['cron']],
    ['several', { at: '2', zone: 'Mars' }, ['zone', 'at']],
  ])('is refused with %s', (_what, wanted, paths) => {
    expect(pathsOf(wanted)).toEqual(paths);
  });

  it('is what Temporal takes', () => {
    expect(toSpec({ every: '6 hours' })).toEqual({ intervals: [{ every: 21_600_000 }] });
    expect(toSpec({ at: ['02:30', '14:00'], zone: 'Europe/Berlin' })).toEqual({
      calendars: [
        { hour: 2, minute: 30 },
        { hour: 14, minute: 0 },
      ],
      timezone: 'Europe/Berlin',
    });
    expect(toSpec({ cron: '30 2 * * 1-5', zone: 'UTC' })).toEqual({
      cronExpressions: ['30 2 * * 1-5'],
      timezone: 'UTC',
    });
  });
});
