import type { Cancel } from '../../time/clock.js';

export interface Poll {
  readonly identity: string;
  readonly queue: string;
  /** It has a task: its time is over now. */
  readonly taken: () => void;
  readonly answer: (task: object) => void;
}

/** A task of a queue, until a poll takes it. */
export interface QueueTask {
  /** 1 comes first, 3 is the usual one. */
  readonly priority: number;
  /** What the poll is answered with, or undefined where the task is void by now. */
  readonly start: (poll: Poll) => object | undefined;
}

export interface Queue {
  readonly name: string;
  readonly tasks: { task: QueueTask; addedAt: number }[];
  readonly polls: Poll[];
  /** When each identity has last asked. */
  readonly pollers: Map<string, { at: number; rate: number }>;
  /** Tasks a second that its workers allow, undefined where they say nothing. */
  rate: number | undefined;
  tokens: number;
  tokensAt: number;
  wake: Cancel | undefined;
  lastPolledAt: number | undefined;
}

export type QueueType = 'workflow' | 'activity';

export interface Queues {
  readonly workflow: Map<string, Queue>;
  readonly activity: Map<string, Queue>;
}
