import type { ApiDescription } from './api-description.js';
import type { Lane } from './lanes.js';
import type { CallContext } from './call-context.js';

/** One call, as metrics and traces name it. */
export interface ObservedCall {
  method: string;
  /** With the ids of projects and resources, without a query. */
  path: string;
  /** The first part of the path, such as `cloud`. */
  area: string;
  /** The activity; `background` for calls that belong to none, such as those of the watcher. */
  operation: string;
}

/** How one exchange ended. */
export interface Exchanged {
  /** Missing without an answer. */
  status?: number;
  /** Why there is no answer. */
  lost?: LostCause;
  /** The body of the answer, if it is JSON. */
  json?: unknown;
}

export type LostCause = 'timeout' | 'connection_lost' | 'not_connected';

/** Why a call was not sent. */
export type HeldReason = 'breaker' | 'key' | 'rate' | 'late' | 'withdrawn' | 'stopping';

/** Hears of every call of an account. It must not throw. */
export interface CallObserver {
  /** Runs an exchange, each try by itself. The result is that of `send`. */
  exchange<T extends Exchanged>(call: ObservedCall, send: () => Promise<T>): Promise<T>;
  held(call: ObservedCall, reason: HeldReason): void;
  /** A call has had its turn, or will not get one. */
  waited(lane: Lane, ms: number): void;
}

const BACKGROUND = 'background';

export function observedCall(
  { method, path }: { method: string; path: string },
  { activity = BACKGROUND }: CallContext,
  { placeOf }: Pick<ApiDescription, 'placeOf'>,
): ObservedCall {
  return { method, path, area: placeOf(path).circuit.area, operation: activity };
}
