import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { decodeText } from '../engine/core/decode-text.js';
import { errorCode } from '../config/error-code.js';

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
  const see = createSteadyContent(onContent);
  const watch = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      see(await read(path));
      await delay(everyMs, undefined, options).catch(() => undefined);
    }
  };
  void watch();
  return () => {
    stop.abort();
  };
}

/** Passes a content on that two looks in a row have found, once. */
export function createSteadyContent(
  onContent: WatchedFile['onContent'],
): (content: Content) => void {
  let last: string | undefined;
  let told: string | undefined;
  return (content) => {
    const seen = JSON.stringify(content);
    const isNews = seen === last && seen !== told;
    last = seen;
    if (!isNews) return;
    told = seen;
    onContent(content);
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
    const decoded = decodeText(await file.readFile());
    return decoded.ok ? { text: decoded.text } : { fault: decoded.fault };
  } catch (error) {
    return { fault: `cannot be read (${errorCode(error)})` };
  } finally {
    await file?.close();
  }
}
