import { setTimeout as delay } from 'node:timers/promises';

import { Connection } from '@temporalio/client';

import { pastProxies } from '../client/past-proxies.js';
import { SearchAttribute } from '../contract/wire/names.js';
import { freePort, LOOPBACK } from './temporal-ports.js';
import { startGuarded, type GuardedProcess } from './temporal-process.js';

const START_TIMEOUT_MS = 30_000;
const START_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 1_000;
const STILL_HELD = /cannot be used|database is locked/;
const PORT_TAKEN = /address already in use|only one usage of each socket address/i;

const ATTEMPT_TIMEOUT_MS = 2_000;
const ASK_PAUSE_MS = 25;

/** The types as the server's command line names them. */
const SEARCH_ATTRIBUTES = {
  [SearchAttribute.phase]: 'Keyword',
  [SearchAttribute.account]: 'Keyword',
  [SearchAttribute.resourceId]: 'KeywordList',
  [SearchAttribute.labels]: 'KeywordList',
} as const;

export interface TemporalServerOptions {
  /** Path of the Temporal CLI, from `resolveTemporalExecutable`. */
  executable: string;
  /** SQLite file that keeps the state across starts, for its owner only. Without it the state is lost at the end. */
  dbFilename?: string | undefined;
  namespace?: string | undefined;
  /** Serve the Web UI too. */
  ui?: boolean | undefined;
  /** A free port when left out. */
  port?: number | undefined;
  uiPort?: number | undefined;
  /** For tests: timers below one second fire on time. By default the server fires them after a second. */
  exactTimers?: boolean | undefined;
  /** Dynamic configuration of the server. */
  dynamicConfig?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Called with each line that the server writes. */
  onOutput?: ((line: string) => void) | undefined;
}

export interface TemporalServer {
  address: string;
  uiUrl?: string;
  namespace: string;
  close: () => Promise<void>;
  /** Ends the server as a crash does. Its database file stays. */
  kill: () => Promise<void>;
}

interface Ports {
  port: number;
  uiPort?: number;
}

/**
 * Starts a Temporal development server and waits until it has the namespace and the search attributes.
 * It ends with `close` or with this process, whichever comes first.
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (attempt === START_ATTEMPTS || !isTransient(error, options)) throw error;
      await delay(RETRY_PAUSE_MS);
    }
  }
}

/**
 * Another process may take the free port before the server listens on it. And a server whose process
 * was just killed may hold the port and the database file for another second.
 */
function isTransient(error: unknown, { dbFilename }: TemporalServerOptions): boolean {
  const message = error instanceof Error ? error.message : '';
  return PORT_TAKEN.test(message) || (dbFilename !== undefined && STILL_HELD.test(message));
}

async function startOnce(options: TemporalServerOptions): Promise<TemporalServer> {
  const { namespace = 'default' } = options;
  const ports = await choosePorts(options);
  const address = `${LOOPBACK}:${ports.port}`;
  const server = startGuarded({
    command: options.executable,
    args: startArguments({ ...options, namespace }, ports),
    onOutput: options.onOutput,
  });
  try {
    await waitUntilReady({
      address,
      namespace,
      timeoutMs: START_TIMEOUT_MS,
      hasExited: server.hasExited,
    });
  } catch (error) {
    await server.stop();
    throw withOutput(error, server);
  }
  const uiUrl = ports.uiPort === undefined ? {} : { uiUrl: `http://${LOOPBACK}:${ports.uiPort}` };
  return { address, ...uiUrl, namespace, close: server.stop, kill: server.kill };
}

async function choosePorts({ port, ui, uiPort }: TemporalServerOptions): Promise<Ports> {
  const chosen = await freePort(port);
  return ui === true ? { port: chosen, uiPort: await freePort(uiPort) } : { port: chosen };
}

function startArguments(
  options: TemporalServerOptions & { namespace: string },
  ports: Ports,
): string[] {
  const dynamicConfig = {
    ...(options.exactTimers === true && { 'history.timerProcessorMaxTimeShift': '10ms' }),
    ...options.dynamicConfig,
  };
  return [
    ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(ports.port)],
    ...['--log-level', 'error', '--namespace', options.namespace],
    ...(ports.uiPort === undefined ? ['--headless'] : ['--ui-port', String(ports.uiPort)]),
    ...(options.dbFilename === undefined ? [] : ['--db-filename', options.dbFilename]),
    ...searchAttributeArguments(),
    ...Object.entries(dynamicConfig).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${JSON.stringify(value)}`,
    ]),
  ];
}

function withOutput(error: unknown, server: GuardedProcess): Error {
  const message = error instanceof Error ? error.message : String(error);
  const output = server.output();
  return new Error(output === '' ? message : `${message}. Its last output:\n${output}`, {
    cause: error,
  });
}

function searchAttributeArguments(): string[] {
  return Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
}

export interface ReadinessOptions {
  address: string;
  namespace: string;
  timeoutMs: number;
  hasExited: () => boolean;
}

/** Waits until the server answers and knows the namespace. */
export async function waitUntilReady(options: ReadinessOptions): Promise<void> {
  const deadline = Date.now() + options.timeoutMs;
  let lastError: unknown;
  while (Date.now() < deadline) {
    if (options.hasExited()) {
      throw new Error('The Temporal server ended before it was ready');
    }
    try {
      await ask(options);
      return;
    } catch (error) {
      lastError = error;
      await delay(ASK_PAUSE_MS);
    }
  }
  const seconds = options.timeoutMs / 1000;
  throw new Error(`The Temporal server was not ready within ${seconds} s: ${String(lastError)}`, {
    cause: lastError,
  });
}

async function ask({ address, namespace }: ReadinessOptions): Promise<void> {
  // A new connection without the client's retries: a connection and the retries back off after each
  // failure, but the server is ready within a second.
  const connection = Connection.lazy({
    address,
    interceptors: [],
    channelArgs: pastProxies(address),
  });
  try {
    await connection.withDeadline(Date.now() + ATTEMPT_TIMEOUT_MS, async () => {
      await connection.workflowService.describeNamespace({ namespace });
    });
  } finally {
    await connection.close();
  }
}
