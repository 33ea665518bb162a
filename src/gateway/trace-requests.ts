import type { SpanAround } from '../observe/tracing/span-around.js';
import type { Middleware } from './middleware.js';

/**
 * A span for each request, in the trace of its caller (`traceparent`); the runs that it starts belong to it. The span of
 * an event stream ends when the stream begins.
 */
export function traceRequests(spanAround: SpanAround): Middleware {
  return (c, next) => {
    const { method } = c.req;
    const carrier = { ...headerOf('traceparent'), ...headerOf('tracestate') };
    function headerOf(name: string): Record<string, string> {
      const value = c.req.header(name);
      return value === undefined ? {} : { [name]: value };
    }
    return spanAround({ name: method, carrier, kind: 'server' }, next, () => {
      const [route, { status }] = [c.get('route'), c.res];
      return {
        name: `${method} ${route}`,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'gcore.request_id': c.get('requestId'),
        },
        isFault: status >= 500,
      };
    });
  };
}
