import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

import type { Codec } from '../../src/codec/codec.js';
import { withNewKey } from '../../src/codec/new-key.js';
import { openCodec } from '../../src/codec/open-codec.js';
import { freePort } from '../../src/dev/temporal-ports.js';

/** A setting of the worker whose price is measured. */
export interface Variant {
  name: string;
  open: () => Promise<OpenVariant>;
}

export interface OpenVariant {
  environment: Record<string, string>;
  /** For the client, if the worker encrypts. */
  codec?: Codec;
  /** Whether the worker does what the setting asks for. Without it, a typing error would look like no overhead. */
  isOn: () => Promise<boolean>;
  close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';

const metrics: Variant = {
  name: 'metrics',
  async open() {
    const port = String(await freePort());
    const answer = async (): Promise<boolean> => {
      const { ok } = await fetch(`http://${LOOPBACK}:${port}/metrics`);
      return ok;
    };
    return {
      environment: { GCORE_WORKFLOWS_METRICS_PORT: port },
      isOn: () => answer().catch(() => false),
      close: () => Promise.resolve(),
    };
  },
};

const tracing: Variant = {
  name: 'tracing',
  async open() {
    let spans = 0;
    const sink = createServer((request, response) => {
      spans += 1;
      request.resume().on('end', () => response.end('{}'));
    });
    const port = await listen(sink);
    return {
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${LOOPBACK}:${port}` },
      isOn: () => Promise.resolve(spans > 0),
      async close() {
        sink.closeAllConnections();
        sink.close();
        await once(sink, 'close');
      },
    };
  },
};

const encryption: Variant = {
  name: 'encryption',
  async open() {
    const text = JSON.stringify(withNewKey(undefined, Date.now()).ring);
    const codec = await openCodec({ text });
    return {
      environment: { GCORE_CODEC_KEYS: text },
      codec,
      // Without the keys, no batch of this client would end.
      isOn: () => Promise.resolve(codec.hasKeys),
      close: () => Promise.resolve(),
    };
  },
};

/** Each is a part of the figure "Overhead". */
export const VARIANTS: readonly [Variant, ...Variant[]] = [metrics, tracing, encryption];

async function listen(server: Server): Promise<number> {
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sink has no port');
  return address.port;
}
