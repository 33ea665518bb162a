import type { Outcome } from './outcome.js';
import type { DueFaults } from '../faults/fault-script.js';

/** A request as it arrived. Bodies and other headers are never kept: they hold secrets. */
export interface ReceivedRequest {
  method: string;
  path: string;
  /** Every value of every query parameter. */
  query: Record<string, string[]>;
  /** The worker's names the run that sent it. */
  userAgent?: string;
  /** Milliseconds since the epoch, by the simulator's clock. */
  at: number;
}

/** One request as it was met; `at` is when it ended. */
export interface LoggedRequest extends ReceivedRequest {
  status: number | 'dropped' | 'hung';
  /** Kinds of the fault rules that applied, such as `drop-response` or `drop-response+list-lag`. */
  fault?: string;
}

export interface RequestLog {
  /** Ended, in the order of their ends. */
  readonly entries: readonly LoggedRequest[];
  /** Received and not ended yet, in the order of their arrival. */
  inFlight(): ReceivedRequest[];
  /** The request has arrived; the result is to be called when it ends. */
  begin(request: Request): (outcome: Outcome, due: DueFaults) => void;
  clear(): void;
}

export function createRequestLog(now: () => number): RequestLog {
  const entries: LoggedRequest[] = [];
  const open = new Set<ReceivedRequest>();
  return {
    entries,
    inFlight: () => structuredClone([...open]),
    begin({ method, url, headers }) {
      const { pathname, searchParams } = new URL(url);
      const userAgent = headers.get('user-agent');
      const received: ReceivedRequest = {
        method,
        path: pathname,
        query: toQuery(searchParams),
        ...(userAgent !== null && { userAgent }),
        at: now(),
      };
      open.add(received);
      return (outcome, due) => {
        // Not there any more: it began before a reset.
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
