import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

import { startGuarded, type GuardedProcess } from '../../../src/dev/temporal-process.js';
import { waitUntilReady } from '../../../src/dev/temporal-server.js';
import { ownFolder } from '../own-folder.js';
import { BIN } from '../cache.js';
import { say } from '../report.js';
import { mustRun } from '../run-command.js';
import { goTool, TEMPORAL_SERVER, TEMPORAL_SQL_TOOL } from '../tools/go-tools.js';
import { debianPackages, temporalCli } from '../tools/packages.js';
import { createPostgres, type Postgres } from './postgres.js';

/** A Temporal server as production has it, with its database. Its parts can be broken one by one. */
export interface ProductionServer {
  address: string;
  database: Postgres;
  killTemporal: () => Promise<void>;
  startTemporal: () => Promise<void>;
  close: () => Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
/** As the Compose file, but with fewer shards: that number changes nothing that is tested here. */
const SHARDS = '4';
const COMPOSE = resolve('deploy/compose/temporal');

/** Installs and builds what is missing, and starts a server with new databases, made by the scripts of the Compose file. */
export async function openProductionServer(): Promise<ProductionServer> {
  await debianPackages({ initdb: 'postgresql', setpriv: 'util-linux' });
  await goTool(TEMPORAL_SQL_TOOL);
  const executable = await goTool(TEMPORAL_SERVER);
  await temporalCli();
  const folder = await ownFolder('server');
  // The user of PostgreSQL has to pass through it.
  await chmod(folder, 0o755);
  const database = await createPostgres(join(folder, 'postgresql'));
  await database.start();
  try {
    await setUpSchema(database, folder);
    return await openTemporal({ executable, database, folder });
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Twice: what exists already must stay as it is. */
async function setUpSchema({ port, password }: Postgres, folder: string): Promise<void> {
  const env = {
    PATH: `${BIN}:${process.env['PATH'] ?? ''}`,
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: '127.0.0.1',
    SQL_PORT: String(port),
    SQL_USER: 'temporal',
    POSTGRES_PASSWORD_FILE: join(folder, 'postgresql', 'postgres_password'),
  };
  if (password === '') throw new Error('The database has no password');
  for (const time of ['made', 'checked again']) {
    const startedAt = Date.now();
    await mustRun(['sh', join(COMPOSE, 'set-up-schema.sh')], { env });
    say(`schema ${time} in ${Date.now() - startedAt} ms`);
  }
}

async function openTemporal({
  executable,
  database,
  folder,
}: {
  executable: string;
  database: Postgres;
  folder: string;
}): Promise<ProductionServer> {
  const base = await freePortRange();
  const address = `127.0.0.1:${base}`;
  const environment = {
    PORT_BASE: String(base),
    PG_PORT: String(database.port),
    PG_PASSWORD: database.password,
    SHARDS,
    DYNAMIC_CONFIG: join(COMPOSE, 'dynamicconfig.yaml'),
  };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const config = resolve('test/production/server/temporal.yaml');
  const args = [...variables, executable, '--config-file', config, '--allow-no-auth', 'start'];
  let server: GuardedProcess;
  const start = (): void => {
    server = startGuarded({ command: 'env', args });
  };
  start();
  await setUpNamespace(address);
  const ready = (): Promise<void> =>
    waitUntilReady({
      address,
      namespace: 'default',
      timeoutMs: READY_TIMEOUT_MS,
      hasExited: () => server.hasExited(),
    });
  await ready();
  say(`Temporal ${TEMPORAL_SERVER.version} on PostgreSQL at ${address}`);
  return {
    address,
    database,
    killTemporal: () => server.kill(),
    startTemporal: async () => {
      start();
      await ready();
    },
    close: async () => {
      await server.stop();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function setUpNamespace(address: string): Promise<void> {
  const env = {
    PATH: `${BIN}:${process.env['PATH'] ?? ''}`,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: 'default',
    RETENTION: '72h',
  };
  for (let time = 1; time <= 2; time++) {
    await mustRun(['sh', join(COMPOSE, 'set-up-namespace.sh')], { env });
  }
}

const RANGE = 21;

/** The server wants ports at fixed distances. */
async function freePortRange(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const base = 20_000 + Math.floor(Math.random() * 12_000);
    const ports = Array.from({ length: RANGE }, (_, index) => base + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return base;
  }
  throw new Error(`No ${RANGE} free ports in a row`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
