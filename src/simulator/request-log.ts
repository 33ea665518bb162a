import type { Outcome } from './exchange.js';
import type { DueFaults } from './fault-script.js';

/** One request as it was met. Bodies and headers are never kept: they hold secrets. */
export interface LoggedRequest {
  method: string;
  path: string;
  /** Every value of every query parameter. */
  query: Record<string, string[]>;
  status: number | 'dropped' | 'hung';
  /** Milliseconds since the epoch, by the simulator's clock. */
  at: number;
  /** Kinds of the fault rules that applied, such as `drop-response` or `drop-response+list-lag`. */
  fault?: string;
}

export interface RequestLog {
  readonly entries: readonly LoggedRequest[];
  append(request: Request, outcome: Outcome, due: DueFaults): void;
  clear(): void;
}

export function createRequestLog(now: () => number): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    entries,
    append({ method, url }, outcome, due) {
      const { pathname, searchParams } = new URL(url);
      const faults = [due.exchange, ...due.effects].flatMap((action) => action?.kind ?? []);
      entries.push({
        method,
        path: pathname,
        query: toQuery(searchParams),
        status: outcome.kind === 'answered' ? outcome.response.status : outcome.kind,
        at: now(),
        ...(faults.length > 0 && { fault: faults.join('+') }),
      });
    },
    clear() {
      entries.length = 0;
    },
  };
}

function toQuery(parameters: URLSearchParams): Record<string, string[]> {
  const names = new Set(parameters.keys());
  return Object.fromEntries([...names].map((name) => [name, parameters.getAll(name)]));
}
