import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { statSync, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const MAX_TRIES = 5;
const ANSWER_WITHIN_MS = 2_000;
/** A worker gives its calls this time, and more. */
const END_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** What `stopHolder` sends. */
const STOP = 'stop';
/** The shortest limit of the systems that have such sockets. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Another process works with the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string, holder: string) {
    super(`The folder ${folder} is in use by another process: ${holder}.`);
  }
}

export interface FolderLock {
  /** Adds to what the holder tells another process about itself. */
  announce: (fact: string) => void;
  /** Resolves when another process asks this one to end. */
  stopAsked: Promise<void>;
  release: () => Promise<void>;
}

/**
 * Makes this process the only one that uses the folder. The lock is a listening socket, so the system
 * itself releases it with the process: no process id can be mistaken for that of another process.
 * Throws `FolderInUseError` while another process holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = socketPath(folder);
  const facts = [`process ${process.pid}`];
  let stop = (): void => undefined;
  const stopAsked = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const server = createServer((socket) => {
    // The other side may go away at any time.
    socket.on('error', () => undefined);
    socket.on('data', (asked) => {
      if (asked.toString() === STOP) stop();
    });
    socket.end(facts.join(', '));
  });
  for (let tries = 1; !(await listens(server, path)); tries++) {
    // Identifies the file before the question: only that file may be removed after it.
    const stale = fileId(path);
    const holder = await askHolder(path);
    if (holder !== undefined) throw new FolderInUseError(folder, holder);
    if (tries === MAX_TRIES) throw new Error(`The folder ${folder} cannot be locked (${path})`);
    removeStale(path, stale);
  }
  server.unref();
  return {
    announce: (fact) => facts.push(fact),
    stopAsked,
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Asks the process that uses the folder to end, and waits until it has. @returns What it said about itself; `undefined`
 * when no process uses the folder.
 */
export async function stopHolder(folder: string): Promise<string | undefined> {
  const path = socketPath(folder);
  const holder = await askHolder(path, STOP);
  const deadline = Date.now() + END_WITHIN_MS;
  while (holder !== undefined && (await askHolder(path)) !== undefined) {
    if (Date.now() > deadline) throw new FolderInUseError(folder, `${holder}, and does not end`);
    await delay(LOOK_EVERY_MS);
  }
  return holder;
}

function socketPath(folder: string): string {
  if (process.platform === 'win32') {
    const id = createHash('sha256').update(resolve(folder)).digest('hex');
    return `\\\\.\\pipe\\gcore-workflows-${id}`;
  }
  const [path = ''] = [join(resolve(folder), 'lock'), join(relative('.', folder), 'lock')].sort(
    (one, other) => one.length - other.length,
  );
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  throw new Error(`The path of the folder is too long for its lock: ${folder}`);
}

/** False when something is there already. */
async function listens(server: Server, path: string): Promise<boolean> {
  server.listen(path);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return false;
    throw error;
  }
}

/** The last one is no folder at all. */
const NOBODY = ['ECONNREFUSED', 'ENOENT', 'ENOTDIR'];

/** What the holder says about itself; `undefined` when nobody listens. */
async function askHolder(path: string, request?: string): Promise<string | undefined> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (NOBODY.some((code) => hasCode(error, code))) return undefined;
    return 'it belongs to another user';
  }
  if (request !== undefined) socket.write(request);
  // A stopped process (Ctrl-Z) still holds the lock, but says nothing.
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
  return (await text(socket).catch(() => '')) || 'it does not answer';
}

function fileId(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}/${found.ino}/${found.ctimeMs}`;
}

/** The socket file of a process that was killed. Another process may have replaced it meanwhile. */
function removeStale(path: string, stale: string | undefined): void {
  if (stale !== undefined && fileId(path) === stale) unlinkSync(path);
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
