import { CANCELLED, toCallError, type CallError } from '../client/call-error.js';
import type { Permit, Slots } from './slots.js';

export interface PollerOptions<T> {
  /** Polls that are open at a time. */
  count: number;
  slots: Slots;
  /** Polls end with this. */
  shutdown: AbortSignal;
  /** The server ends the polls of a worker that shuts down: they are waited for. */
  isGraceful: boolean;
  /** Waits before a slot is taken. */
  before?: () => Promise<void>;
  after?: () => void;
  poll: (signal: AbortSignal | undefined) => Promise<T>;
  isEmpty: (task: T) => boolean;
  onTask: (task: T, permit: Permit) => void;
  /** Polls cannot go on. */
  onFatal: (error: CallError) => void;
}

/** Polls a queue until the shutdown. Ends when no poll is open any more. */
export async function runPoller<T>(options: PollerOptions<T>): Promise<void> {
  await Promise.all(Array.from({ length: options.count }, () => pollAgain(options)));
}

async function pollAgain<T>(options: PollerOptions<T>): Promise<void> {
  const { shutdown } = options;
  while (!shutdown.aborted) {
    await options.before?.();
    const isOver = await pollOnce(options).finally(options.after);
    if (isOver) return;
  }
}

/** True when there is to be no other poll. */
async function pollOnce<T>(options: PollerOptions<T>): Promise<boolean> {
  const { slots, shutdown, isGraceful, poll, isEmpty, onTask, onFatal } = options;
  const permit = await acquire(slots, shutdown);
  if (permit === undefined) return true;
  try {
    const task = await poll(isGraceful ? undefined : shutdown);
    if (isEmpty(task)) permit.release();
    else onTask(task, permit);
    return false;
  } catch (thrown: unknown) {
    permit.release();
    const error = toCallError(thrown);
    if (shutdown.aborted || error.code === CANCELLED) return shutdown.aborted;
    onFatal(error);
    return true;
  }
}

function acquire(slots: Slots, shutdown: AbortSignal): Promise<Permit | undefined> {
  return new Promise((resolve) => {
    if (shutdown.aborted) {
      resolve(undefined);
      return;
    }
    const stop = (): void => {
      giveUp();
      resolve(undefined);
    };
    shutdown.addEventListener('abort', stop);
    const giveUp = slots.acquireThen((permit) => {
      shutdown.removeEventListener('abort', stop);
      resolve(permit);
    });
  });
}

/** Lets so many through in a second, one after the other. */
export function createPace(
  perSecond: number,
  { now, sleep }: { now: () => number; sleep: (ms: number) => Promise<void> },
): () => Promise<void> {
  const intervalMs = 1_000 / perSecond;
  let nextAt = now();
  return async () => {
    const at = Math.max(nextAt, now());
    nextAt = at + intervalMs;
    if (at > now()) await sleep(at - now());
  };
}
