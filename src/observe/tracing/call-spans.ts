import { SpanKind, SpanStatusCode, trace, type Attributes, type Tracer } from '@opentelemetry/api';

/** The calls of an account, as `CallObserver` of the activities describes them. */
export interface Call {
  method: string;
  path: string;
  area: string;
  operation: string;
}

export interface Outcome {
  status?: number;
  lost?: string;
  json?: unknown;
}

/** Calls of no activity, such as those of the watcher, belong to no run and no trace. */
const BACKGROUND = 'background';

/** A span for each request to the API: a repeat is a span of its own. Bodies and headers stay out. */
export function callSpans(tracer: Tracer, { account, host }: { account: string; host: string }) {
  return {
    exchange<T extends Outcome>(call: Call, send: () => Promise<T>): Promise<T> {
      if (call.operation === BACKGROUND) return send();
      const attributes = {
        'http.request.method': call.method,
        'url.path': call.path,
        'server.address': host,
        'gcore.account': account,
        'gcore.area': call.area,
      };
      const name = `${call.method} ${call.operation}`;
      const options = { kind: SpanKind.CLIENT, attributes };
      return tracer.startActiveSpan(name, options, async (span) => {
        try {
          const outcome = await send();
          span.setAttributes(attributesOf(call, outcome));
          const isFault = outcome.status === undefined || outcome.status >= 400;
          if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
          return outcome;
        } catch (error) {
          span.setAttribute('error.type', 'cancelled');
          throw error;
        } finally {
          span.end();
        }
      });
    },
    held(_call: Call, reason: string): void {
      trace.getActiveSpan()?.addEvent('not sent', { 'gcore.reason': reason });
    },
    waited(_lane: string, ms: number): void {
      if (ms < WORTH_A_WORD_MS) return;
      trace.getActiveSpan()?.addEvent('waited for its turn', { 'gcore.waited_ms': Math.round(ms) });
    },
  };
}

const WORTH_A_WORD_MS = 10;

function attributesOf({ path }: Call, { status, lost, json }: Outcome): Attributes {
  const isFault = status !== undefined && status >= 400;
  const errorType = lost ?? (isFault ? String(status) : undefined);
  const requestId = idIn(json, 'request_id');
  const taskIds = [...tasksIn(json), ...(/\/tasks\/([0-9a-f-]{36})$/i.exec(path)?.slice(1) ?? [])];
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(errorType !== undefined && { 'error.type': errorType }),
    ...(requestId !== undefined && { 'gcore.request_id': requestId }),
    ...(taskIds.length > 0 && { 'gcore.task_id': taskIds.join(' ') }),
  };
}

const MAX_TASKS = 10;

function tasksIn(json: unknown): string[] {
  const tasks: unknown = json instanceof Object ? Reflect.get(json, 'tasks') : undefined;
  return Array.isArray(tasks) ? tasks.slice(0, MAX_TASKS).filter(isId) : [];
}

function idIn(json: unknown, field: string): string | undefined {
  const value: unknown = json instanceof Object ? Reflect.get(json, field) : undefined;
  return isId(value) ? value : undefined;
}

/** Hexadecimal digits only: an answer may echo what was sent to the API, such as a password. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f][0-9a-f-]{14,63}$/i.test(value);
}
