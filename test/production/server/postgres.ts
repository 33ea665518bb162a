import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

import { freePort } from '../../../src/dev/temporal-ports.js';
import { mustRun, runCommand } from '../run-command.js';

export interface Postgres {
  port: number;
  password: string;
  /** Ends the server and its children as a power cut does. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  /** Every process stands still: connections stay open and nobody answers. */
  stall: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** The newest PostgreSQL of this machine. */
function binaries(): string {
  const root = '/usr/lib/postgresql';
  const newest = readdirSync(root)
    .sort((a, b) => Number(a) - Number(b))
    .at(-1);
  if (newest === undefined) throw new Error(`There is no PostgreSQL below ${root}`);
  return join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
function asOwner(): [string, ...string[]] {
  // The server ends with this process, whatever ends it.
  const base: [string, ...string[]] = ['setpriv', '--pdeathsig', 'INT'];
  if (process.getuid?.() !== 0) return base;
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--pdeathsig', 'INT'];
}

function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'));
  const [, , uid, gid] = (line ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function processesOf(child: ChildProcess): number[] {
  const { pid } = child;
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended already.
    }
  }
}

/** A new cluster in the folder: loopback only, with a password, fsync on. */
export async function createPostgres(folder: string): Promise<Postgres> {
  const bin = binaries();
  const [data, sockets] = [join(folder, 'data'), join(folder, 'sockets')];
  const password = 'production-test';
  const passwordFile = join(folder, 'postgres_password');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  writeFileSync(passwordFile, password);
  const user = owner();
  for (const path of [data, sockets]) {
    mkdirSync(path, { mode: 0o700 });
    if (user) chownSync(path, user.uid, user.gid);
  }
  const auth = ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-U', 'temporal'];
  await mustRun([
    ...asOwner(),
    `${bin}/initdb`,
    '-D',
    data,
    ...auth,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-k',
  ]);
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-k', sockets, '-c', 'listen_addresses=127.0.0.1'];
  const command = [...asOwner(), `${bin}/postgres`, ...args, '-c', 'max_connections=200'];
  let server: ChildProcess | undefined;

  const end = async (name: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    // A process that stands still takes no other signal than SIGKILL.
    signal(name === 'SIGKILL' ? processesOf(server) : [server.pid ?? 0], name);
    await ended;
  };
  const start = async (): Promise<void> => {
    const [file = '', ...rest] = command;
    const child = spawn(file, rest, { stdio: 'ignore' });
    server = child;
    const deadline = Date.now() + START_TIMEOUT_MS;
    const ready = [`${bin}/pg_isready`, '-q', '-h', '127.0.0.1', '-p', String(port)] as const;
    while ((await runCommand(ready)).code !== 0) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL was not ready within ${START_TIMEOUT_MS} ms`);
      await pass(50);
    }
  };
  return {
    port,
    password,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    stall: () => {
      if (server) signal(processesOf(server), 'SIGSTOP');
      return Promise.resolve();
    },
    resume: () => {
      if (server) signal(processesOf(server), 'SIGCONT');
      return Promise.resolve();
    },
  };
}
