import proto from '@temporalio/proto';

import { NOT_FOUND, toCallError, type CallError } from '../client/call-error.js';
import type { Home } from '../client/home.js';
import type { WorkerCalls } from '../client/worker-calls.js';
import { intoPayloads, tokenKey, type Payload } from '../messages.js';
import { detailsOf, type CancelDetails, type CancelReason } from './cancel-task.js';

const { ActivityCancelReason } = proto.coresdk.activity_task;

export interface Heartbeat {
  token: Uint8Array;
  details: Payload[];
  throttleMs: number;
  /** The server has heard it. */
  onSent: () => void;
}

interface State {
  /** The last one that has not been sent. */
  pending: Payload[] | undefined;
  isInFlight: boolean;
  sentAt: number;
  throttleMs: number;
  cancelThrottle: (() => void) | undefined;
  onSent: () => void;
}

export interface HeartbeatsOptions {
  calls: WorkerCalls;
  home: Home;
  onCancel: (token: Uint8Array, reason: CancelReason, details: CancelDetails) => void;
}

/** Sends heartbeats, of each activity only one in a while: the first at once, then always the last one. */
export class Heartbeats {
  readonly #options: HeartbeatsOptions;
  readonly #states = new Map<string, State>();
  readonly #flushed = new Map<string, () => void>();

  constructor(options: HeartbeatsOptions) {
    this.#options = options;
  }

  record({ token, details, throttleMs, onSent }: Heartbeat): void {
    const key = tokenKey(token);
    const state = this.#states.get(key);
    if (state !== undefined) {
      state.pending = details;
      state.onSent = onSent;
      return;
    }
    this.#states.set(key, {
      pending: undefined,
      isInFlight: true,
      sentAt: this.#options.home.now(),
      throttleMs,
      cancelThrottle: undefined,
      onSent,
    });
    void this.#send(token, details);
  }

  /** Forgets an activity that has ended, after what is on its way or is to be said first. */
  evict(token: Uint8Array, flushes: boolean): Promise<void> {
    const key = tokenKey(token);
    const state = this.#states.get(key);
    this.#states.delete(key);
    state?.cancelThrottle?.();
    const mustSend = flushes && state?.pending !== undefined;
    if (state === undefined || (!mustSend && !state.isInFlight)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#flushed.set(key, resolve);
      if (mustSend) void this.#send(token, state.pending ?? []);
    });
  }

  async #send(token: Uint8Array, details: Payload[]): Promise<void> {
    const { calls, onCancel } = this.#options;
    try {
      const answer = await calls.heartbeat(token, intoPayloads(details));
      const { cancelRequested, activityPaused, activityReset } = answer;
      if (cancelRequested || activityPaused || activityReset) {
        const reason = cancelRequested
          ? ActivityCancelReason.CANCELLED
          : activityReset
            ? ActivityCancelReason.RESET
            : ActivityCancelReason.PAUSED;
        onCancel(token, reason, {
          isCancelled: cancelRequested ?? false,
          isPaused: activityPaused ?? false,
          isReset: activityReset ?? false,
        });
      }
    } catch (error: unknown) {
      this.#onFailed(token, toCallError(error));
    }
    this.#onSent(token);
  }

  #onFailed(token: Uint8Array, { code }: CallError): void {
    if (code !== NOT_FOUND) return;
    const reason = ActivityCancelReason.NOT_FOUND;
    this.#options.onCancel(token, reason, detailsOf(reason));
  }

  #onSent(token: Uint8Array): void {
    const key = tokenKey(token);
    this.#flushed.get(key)?.();
    this.#flushed.delete(key);
    const state = this.#states.get(key);
    if (state === undefined) return;
    state.isInFlight = false;
    state.onSent();
    const { home } = this.#options;
    const elapsedMs = home.now() - state.sentAt;
    const leftMs = elapsedMs > 0 ? Math.max(0, state.throttleMs - elapsedMs) : 0;
    state.cancelThrottle = home.after(leftMs, () => {
      this.#onThrottled(token, key, state);
    });
  }

  #onThrottled(token: Uint8Array, key: string, state: State): void {
    const { pending } = state;
    if (pending === undefined) {
      this.#states.delete(key);
      return;
    }
    state.pending = undefined;
    state.cancelThrottle = undefined;
    state.sentAt = this.#options.home.now();
    state.isInFlight = true;
    void this.#send(token, pending);
  }
}
