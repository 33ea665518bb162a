import { setTimeout as delay } from 'node:timers/promises';

import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';

export interface ConnectOptions {
  connectionOptions: NativeConnectionOptions;
  signal: AbortSignal;
  /** Called after every failed try. */
  onRetry: (reason: string, waitMs: number) => void;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 2_000;

/** Connects to Temporal. Waits for a server that is not up yet: the SDK alone gives up immediately. */
export async function connectToTemporal(options: ConnectOptions): Promise<NativeConnection> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await NativeConnection.connect(options.connectionOptions);
    } catch (error) {
      options.signal.throwIfAborted();
      options.onRetry(error instanceof Error ? error.message : String(error), waitMs);
      await delay(waitMs, undefined, { signal: options.signal });
    }
  }
}
