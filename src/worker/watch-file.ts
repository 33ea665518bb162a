import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** What is in a file, or why nobody can tell. */
export type Content = { text: string } | { fault: string };

export interface WatchedFile {
  path: string;
  everyMs?: number;
  /** Told the content that two looks in a row have found, at first and after each change. */
  onContent: (content: Content) => void;
}

const LOOK_EVERY_MS = 1_000;
const MAX_BYTES = 1024 ** 2;

/**
 * Looks at a small file again and again. Notifications of the file system miss what matters here: the swap of a
 * symbolic link (Kubernetes), a file on a network, a file system of another machine. Two equal looks, because the
 * file may be half-written. Returns the function that ends it.
 */
export function watchFile({ path, everyMs = LOOK_EVERY_MS, onContent }: WatchedFile): () => void {
  const stop = new AbortController();
  const options = { ref: false, signal: stop.signal };
  const watch = async (): Promise<void> => {
    let last: string | undefined;
    let told: string | undefined;
    while (!stop.signal.aborted) {
      const content = await read(path);
      const seen = JSON.stringify(content);
      if (seen === last && seen !== told) {
        told = seen;
        onContent(content);
      }
      last = seen;
      await delay(everyMs, undefined, options).catch(() => undefined);
    }
  };
  void watch();
  return () => {
    stop.abort();
  };
}

async function read(path: string): Promise<Content> {
  let file: FileHandle | undefined;
  try {
    // A pipe would block the thread until somebody writes into it.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return { fault: 'is not a file' };
    if (stat.size > MAX_BYTES) return { fault: 'is larger than 1 MiB' };
    return { text: await file.readFile('utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { fault: `cannot be read (${code})` };
  } finally {
    await file?.close();
  }
}
