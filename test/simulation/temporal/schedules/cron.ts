import type { temporal } from '@temporalio/proto';

import { invalidArgument } from '../base/grpc-error.js';

type Calendar = temporal.api.schedule.v1.IStructuredCalendarSpec;
type Range = temporal.api.schedule.v1.IRange;

interface Field {
  name: string;
  least: number;
  most: number;
  /** Names for numbers, the first of which stands for `least`. */
  words: readonly string[];
}

const MINUTE: Field = { name: 'Minute', least: 0, most: 59, words: [] };
const HOUR: Field = { name: 'Hour', least: 0, most: 23, words: [] };
const DAY_OF_MONTH: Field = { name: 'DayOfMonth', least: 1, most: 31, words: [] };
const MONTH: Field = {
  name: 'Month',
  least: 1,
  most: 12,
  words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
const DAY_OF_WEEK: Field = {
  name: 'DayOfWeek',
  least: 0,
  most: 7,
  words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
};

const SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** A line of five fields: minute, hour, day of the month, month, day of the week. @throws GrpcError */
export function calendarOfCron(line: string): Calendar {
  const text = SHORTHANDS.get(line.trim()) ?? line.trim();
  const fields = text.split(/\s+/);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (
    fields.length !== 5 ||
    minute === undefined ||
    hour === undefined ||
    dayOfMonth === undefined ||
    month === undefined ||
    dayOfWeek === undefined
  ) {
    throw refused(`CronString does not have 5-7 fields`);
  }
  return {
    minute: rangesOf(minute, MINUTE),
    hour: rangesOf(hour, HOUR),
    dayOfMonth: rangesOf(dayOfMonth, DAY_OF_MONTH),
    month: rangesOf(month, MONTH),
    dayOfWeek: rangesOf(dayOfWeek, DAY_OF_WEEK).map(sundayIsZero),
  };
}

function refused(message: string): Error {
  return invalidArgument(`Invalid schedule spec: ${message}`);
}

function sundayIsZero(range: Range): Range {
  return range.start === 7 ? { start: 0, end: 0 } : range;
}

function rangesOf(text: string, field: Field): Range[] {
  return text.split(',').map((part) => rangeOf(part, field));
}

function rangeOf(part: string, field: Field): Range {
  const [span = '', stepText] = part.split('/');
  const step = stepText === undefined ? 1 : Number(stepText);
  const isOpen = span === '*' || span === '?';
  const [from = '', to] = span.split('-');
  const start = isOpen ? field.least : valueOf(from, field);
  const openEnd = field === DAY_OF_WEEK ? 6 : field.most;
  const alone = stepText === undefined ? start : openEnd;
  const end = isOpen ? openEnd : to === undefined ? alone : valueOf(to, field);
  if (!Number.isInteger(step) || step < 1) throw refused(`${field.name} has invalid Step`);
  return { start, end, step };
}

function valueOf(text: string, { name, least, most, words }: Field): number {
  const word = words.indexOf(text.toLowerCase().slice(0, 3));
  const value = word === -1 ? Number(text) : word + least;
  if (text === '' || !Number.isInteger(value) || value < least || value > most) {
    throw refused(`${name} is not in range [${least}-${most}]`);
  }
  return value;
}
