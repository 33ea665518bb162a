import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

import { runCaptured, type Captured, type RunOptions } from '../../support/cli/run-captured.js';
import { TEMPORAL_ADDRESS } from './machine-room.js';

/**
 * Runs a command of the product in this process. Its client connects as workers do, because gRPC for JavaScript has sockets
 * of its own, and there is nothing behind them.
 */
export function runCommand(...args: string[]): Promise<Captured> {
  return runCommandWith({}, ...args);
}

/** The same with a terminal that answers, or with an input. */
export async function runCommandWith(options: RunOptions, ...args: string[]): Promise<Captured> {
  const connect: unknown = Reflect.get(Connection, 'connect');
  const native: unknown = NativeConnection.connect.bind(NativeConnection);
  const { GCORE_ALLOW_PLAIN_TEMPORAL: before } = process.env;
  Object.assign(Connection, { connect: native });
  // There is no network that anybody could listen to.
  process.env['GCORE_ALLOW_PLAIN_TEMPORAL'] = 'true';
  try {
    return await runCaptured([...args, '--address', TEMPORAL_ADDRESS], options);
  } finally {
    Object.assign(Connection, { connect });
    if (before === undefined) delete process.env['GCORE_ALLOW_PLAIN_TEMPORAL'];
    else process.env['GCORE_ALLOW_PLAIN_TEMPORAL'] = before;
  }
}
