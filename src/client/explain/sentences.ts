import { withoutAdvice, type FailureDetails } from '../../engine/core/failures.js';
import { oneLine } from '../../engine/core/text.js';
import type { Resource } from '../../engine/core/status.js';
import { formatDuration } from '../format-duration.js';

/** Writes a command that the reader can copy. */
export type Command = (...words: string[]) => string;

/** Sentences, and the next step. */
export interface Narrative {
  sentences: readonly string[];
  next: string;
}

/** `2026-05-04T03:02:00Z (41 s ago)`, `… (in 4 s)` */
export function when(time: string, now: number): string {
  const ms = Date.parse(time) - now;
  const distance = ms > 0 ? `in ${formatDuration(ms)}` : `${formatDuration(-ms)} ago`;
  return `${stamp(time)} (${distance})`;
}

/** `2026-05-04T03:02:00Z` */
export function stamp(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

export function durationBetween(from: string, to: string): string {
  return formatDuration(Date.parse(to) - Date.parse(from));
}

/** `instance 89… and volume 5b…` */
export function joinWithAnd(things: readonly string[]): string {
  const last = things.at(-1) ?? '';
  return things.length < 2 ? last : `${things.slice(0, -1).join(', ')} and ${last}`;
}

export function listResources(resources: readonly Resource[]): string {
  return joinWithAnd(resources.map(({ kind, id }) => `${kind} ${id}`));
}

/** The message of a failure in one line, without the advice; faults come once, at the end. */
export function causeOf(message: string, details: Partial<FailureDetails>): string {
  const { advice, faults } = details;
  const [firstLine = ''] = message.split('\n');
  const first = faults === undefined ? oneLine(message) : firstLine;
  const cause = withoutAdvice(first, advice);
  const named = (faults ?? []).map(({ path, message: rule }) => `${path} ${rule}`).join('; ');
  return [sentence(cause), ...(named === '' ? [] : [sentence(named)])].join(' ');
}

/** One space between words, one full stop at the end. */
export function sentence(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain === '' || /[.!?:]$/.test(plain) ? plain : `${plain}.`;
}
