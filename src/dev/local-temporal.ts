import { join } from 'node:path';

import {
  currentEnvironment,
  loadDevConfig,
  loadTemporalConfig,
  type TemporalConfig,
} from '../config.js';
import { loadClearSecrets } from '../config/clear-secrets.js';
import type { ClearSecrets } from '../contract/clear-secrets.js';
import { tellClearSecrets } from './tell-clear-secrets.js';
import { createNexusEndpoint } from './nexus-endpoint.js';
import { defaultCacheDir } from './temporal-cli.js';
import { resolveTemporalExecutable } from './temporal-executable.js';
import { startTemporalServer } from './temporal-server.js';

export interface LocalTemporalOptions {
  /**
   * Where the Temporal server and the simulator save their state. Without it the state is lost at the
   * end. One process at a time may use a folder; the function throws `FolderInUseError` otherwise.
   */
  folder?: string;
  /** Ports of the Temporal server and its UI; free ports when left out. */
  port?: number;
  uiPort?: number;
  onProgress: (message: string) => void;
}

export interface RunningTemporal {
  config: TemporalConfig;
  uiUrl: string | undefined;
  /** On an own server, which others cannot reach, secrets in clear are allowed unless a setting says otherwise. */
  clearSecrets: ClearSecrets | undefined;
  close: () => Promise<void>;
}

/** Uses the external server of TEMPORAL_ADDRESS, or starts an embedded one. */
export async function startLocalTemporal(options: LocalTemporalOptions): Promise<RunningTemporal> {
  const { folder, port, uiPort, onProgress } = options;
  const settings = loadDevConfig();
  const wanted = loadClearSecrets(currentEnvironment());
  if (settings.temporalAddress !== undefined) {
    onProgress(`Using the Temporal server at ${settings.temporalAddress}`);
    const config = loadTemporalConfig();
    return { config, uiUrl: undefined, clearSecrets: wanted, close: () => Promise.resolve() };
  }
  const { path } = await resolveTemporalExecutable({
    cliPath: settings.temporalCliPath,
    path: settings.searchPath,
    cacheDir: defaultCacheDir(settings.cacheHome),
    onProgress,
  });
  const { address, namespace, uiUrl, close } = await startTemporalServer({
    executable: path,
    ui: true,
    port,
    uiPort,
    ...(folder === undefined ? {} : { dbFilename: join(folder, 'temporal.db') }),
  });
  onProgress(`Temporal runs at ${address}, its UI at ${uiUrl ?? '-'}`);
  const config = { connectionOptions: { address }, namespace };
  const clearSecrets = wanted ?? 'allow';
  await tellClearSecrets(config, clearSecrets);
  await createNexusEndpoint(config).catch((error: unknown) => {
    // An own executable of the Temporal CLI may be too old. Everything else works.
    onProgress(`Temporal has no Nexus endpoint: ${String(error)}`);
  });
  return { config, uiUrl, clearSecrets, close };
}
