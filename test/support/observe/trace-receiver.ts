import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { z } from 'zod';
import { listen } from '../http/listen.js';

const valueSchema = z
  .looseObject({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() })
  .transform(({ stringValue, intValue }) => stringValue ?? intValue);

const spanSchema = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z
    .array(z.object({ key: z.string(), value: valueSchema }))
    .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value]))),
});
export type ReceivedSpan = z.infer<typeof spanSchema>;

const bodySchema = z.object({
  resourceSpans: z.array(
    z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(spanSchema) })) }),
  ),
});

/** A collector of OpenTelemetry, with OTLP over HTTP as JSON. */
export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** What it was sent, as text. */
  bodies: string[];
  close: () => Promise<void>;
}

export async function receiveTraces(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      bodies.push(`${request.url ?? ''} ${body}`);
      const { resourceSpans } = bodySchema.parse(JSON.parse(body));
      for (const { scopeSpans } of resourceSpans) {
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    })();
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans,
    bodies,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
