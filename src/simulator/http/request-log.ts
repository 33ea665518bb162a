import type { Outcome } from './outcome.js';
import type { DueFaults } from '../faults/fault-script.js';

/** A request as it arrived. The log keeps no bodies and no other headers, because they contain secrets. */
export interface ReceivedRequest {
  method: string;
  path: string;
  /** Every value of every query parameter. */
  query: Record<string, string[]>;
  /** The worker names the run that sent the request in it. */
  userAgent?: string;
  /** Name of the accepted key, unless it is the first one. */
  key?: string;
  /** Milliseconds since the epoch, by the simulator's clock. */
  at: number;
}

/** One request and its outcome. `at` is the time of its end. */
export interface LoggedRequest extends ReceivedRequest {
  status: number | 'dropped' | 'hung';
  /** Kinds of the fault rules that applied, such as `drop-response` or `drop-response+list-lag`. */
  fault?: string;
}

export interface RequestLog {
  /** Ended requests, in the order of their ends. */
  readonly entries: readonly LoggedRequest[];
  /** Requests that have not ended yet, in the order of their arrival. */
  inFlight(): ReceivedRequest[];
  /** Records the arrival of a request. Call the returned function when the request ends. */
  begin(request: Request): (outcome: Outcome, due: DueFaults) => void;
  clear(): void;
}

export function createRequestLog(
  now: () => number,
  keyNameOf: (authorization: string | null) => string | undefined = () => undefined,
): RequestLog {
  const entries: LoggedRequest[] = [];
  const open = new Set<ReceivedRequest>();
  return {
    entries,
    inFlight: () => structuredClone([...open]),
    begin({ method, url, headers }) {
      const { pathname, searchParams } = new URL(url);
      const userAgent = headers.get('user-agent');
      const key = keyNameOf(headers.get('authorization'));
      const received: ReceivedRequest = {
        method,
        path: pathname,
        query: toQuery(searchParams),
        ...(userAgent !== null && { userAgent }),
        ...(key !== undefined && { key }),
        at: now(),
      };
      open.add(received);
      return (outcome, due) => {
        // A request that began before a reset is no longer open and is not logged.
        if (!open.delete(received)) return;
        entries.push({ ...received, at: now(), ...toEnd(outcome, due) });
      };
    },
    clear() {
      entries.length = 0;
      open.clear();
    },
  };
}

function toEnd(outcome: Outcome, due: DueFaults): Pick<LoggedRequest, 'status' | 'fault'> {
  const faults = [due.exchange, ...due.effects].flatMap((action) => action?.kind ?? []);
  return {
    status: outcome.kind === 'answered' ? outcome.response.status : outcome.kind,
    ...(faults.length > 0 && { fault: faults.join('+') }),
  };
}

function toQuery(parameters: URLSearchParams): Record<string, string[]> {
  const names = new Set(parameters.keys());
  return Object.fromEntries([...names].map((name) => [name, parameters.getAll(name)]));
}
