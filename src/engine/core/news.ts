import type { PollPolicy } from './run-policy.js';
import { digestOf } from './digest.js';

/** Asks a read to be repeated by Temporal until it answers otherwise. */
export interface AskForNews {
  /** `answerOf` what it has answered. */
  unlike: string;
  /** When the wait began: the pauses grow from then on. In milliseconds since the epoch, as is `until`. */
  since: number;
  /** When the wait ends without news. */
  until: number;
  /** How often to read: the pace of lists. */
  poll: PollPolicy;
}

/** The look that a change rests on, where its activity makes it: nothing is sent unless the read answers `nothing`. */
export interface FirstLook {
  /** An activity of the group `reads`. */
  read: string;
  input: object;
  /** What it answers when nothing is there. */
  nothing: unknown;
}

/** A read that the activity of a change makes as soon as the API has answered the change. */
export interface LaterRead {
  /** An activity of the group `reads`. */
  read: string;
  input: unknown;
}

/** What the activity of a change reads besides. */
export interface ReadsOfChange {
  first?: FirstLook;
  then?: readonly LaterRead[];
}

/** What such a read has shown. */
export type ShownLater = {
  /** The `serverTime` at which it began. */
  readAt: number;
} & ({ result?: unknown } | { missing: { message: string; details: unknown[] } });

/** A change with its `then`, in their order: those that are left out have no answer. */
export interface AnsweredAndRead {
  answer: unknown;
  shown: ShownLater[];
}

/** A short form of an answer, by which another one can be told from it. */
export function answerOf(result: unknown): string {
  // JSON has no `undefined`, and an activity sends none.
  return digestOf(result === undefined ? '' : JSON.stringify(result));
}
