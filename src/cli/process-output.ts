import { setImmediate } from 'node:timers/promises';

/** What becomes of the output of this process. */
export interface ProcessOutput {
  /** Aborted when nobody reads stdout any more, as after `… | head -1`. */
  unread: AbortSignal;
  /** Waits until everything is written. Answers why something was lost, on a full disk for example. */
  flush: () => Promise<Error | undefined>;
}

type Output = Pick<NodeJS.WriteStream, 'on' | 'write'>;

/** A pipe says the first, a socket may say the second. */
const READER_LEFT = ['EPIPE', 'ECONNRESET'];

/**
 * A command does its work, and ends with the exit code of its work, whatever becomes of its output: a worker outlives
 * the reader of its log. Without this, Node.js would end the process at the first line that it cannot write.
 */
export function keepOutput(stdout: Output, stderr: Output): ProcessOutput {
  const unread = new AbortController();
  let lost: Error | undefined;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!READER_LEFT.includes(error.code ?? '')) lost ??= error;
      else if (stream === stdout) unread.abort();
    });
  }
  return {
    unread: unread.signal,
    async flush() {
      await Promise.all([stdout, stderr].map(written));
      // A stream tells its error after the callback of the write.
      await setImmediate();
      return lost;
    },
  };
}

function written(stream: Output): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}
