import { describe, expect, it } from '@jest/globals';

import { clockChanges } from '../../../src/client/schedules/clock-changes.js';

const NOVEMBER = Date.parse('2026-11-23T10:00:00Z');
const JULY = Date.parse('2026-07-01T12:00:00Z');

describe('a time of the day', () => {
  it('is missing and comes twice when the clock of its zone changes', () => {
    expect(clockChanges({ at: ['02:30'], zone: 'Europe/Berlin' }, NOVEMBER)).toEqual([
      { date: '2027-03-28', time: '02:30', effect: 'missing' },
      { date: '2027-10-31', time: '02:30', effect: 'twice' },
    ]);
  });

  it.each([
    ['01:59', []],
    ['02:00', ['missing', 'twice']],
    ['02:59', ['missing', 'twice']],
    ['03:00', []],
  ])('%s of Berlin changes as %j', (time, effects) => {
    const changes = clockChanges({ at: [time], zone: 'Europe/Berlin' }, NOVEMBER);

    expect(changes.map(({ effect }) => effect)).toEqual(effects);
  });

  it('is told for the other side of the world, of midnight, and of half an hour', () => {
    expect(clockChanges({ at: ['02:15'], zone: 'Australia/Lord_Howe' }, JULY)).toEqual([
      { date: '2026-10-04', time: '02:15', effect: 'missing' },
    ]);
    expect(clockChanges({ at: ['00:30'], zone: 'Asia/Beirut' }, NOVEMBER)).toMatchObject([
      { effect: 'missing' },
    ]);
    expect(clockChanges({ at: ['01:30'], zone: 'America/New_York' }, JULY)).toEqual([
      { date: '2026-11-01', time: '01:30', effect: 'twice' },
    ]);
  });

  it('is always there in UTC', () => {
    expect(clockChanges({ at: ['02:30'], zone: 'UTC' }, NOVEMBER)).toEqual([]);
  });
});
