import { connectGcoreWorkflows, type GcoreWorkflows } from '../client/index.js';
import { loadCodecKeys, type TemporalConfig } from '../config.js';
import { messageOf } from './output/error-text.js';
import { readOwnPackage } from './own-package.js';
import type { RunningStack, Services } from './services.js';

export interface DevGateway {
  /** Missing when it could not start. */
  url: string | undefined;
  /** Resolves when it has ended. */
  stopped: Promise<void>;
}

interface DevGatewayOptions {
  stack: RunningStack;
  port: number;
  onFault: (fault: string) => void;
  signal: AbortSignal;
}

/** Starts a gateway beside the stack: pages of runs and the HTTP API, for this machine only. */
export function openDevGateway(
  services: Pick<Services, 'runGateway'>,
  { stack, port, onFault, signal }: DevGatewayOptions,
): Promise<DevGateway> {
  const { temporal, uiUrl } = stack;
  return new Promise((open) => {
    const stopped = services
      .runGateway({
        withGcore: (use) => withTemporal(temporal, use),
        host: '127.0.0.1',
        port,
        version: readOwnPackage().version,
        signal,
        ...(uiUrl === undefined ? {} : { temporalUrl: temporalUrlOf(uiUrl, temporal.namespace) }),
        writeLog: () => undefined,
        onListening: (url) => {
          open({ url, stopped });
        },
      })
      .catch((error: unknown) => {
        // Runs do not need it.
        const fault = messageOf(error).replace(/\.?$/, '.');
        onFault(`No pages and no HTTP API: ${fault} --gateway-port chooses another port.`);
        open({ url: undefined, stopped: Promise.resolve() });
      });
  });
}

async function withTemporal(
  config: TemporalConfig,
  use: (gcore: GcoreWorkflows) => Promise<void>,
): Promise<void> {
  const gcore = await connectGcoreWorkflows({ config, codec: loadCodecKeys() });
  try {
    await use(gcore);
  } finally {
    await gcore.close();
  }
}

/** The page of a run in the Temporal UI. @param ui such as `http://127.0.0.1:8233` */
export function temporalUrlOf(ui: string, namespace = 'default'): (workflowId: string) => string {
  const base = `${ui.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
  return (workflowId) => `${base}/${encodeURIComponent(workflowId)}`;
}
