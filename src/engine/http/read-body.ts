export interface BodyOptions {
  /** Counted after decompression. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Reads a body to its end, or until `signal` aborts. Returns `undefined` for a body above `maxBytes`.
 * A cancelled reader closes the connection of an unread rest.
 */
export async function readBody(
  response: Response,
  { maxBytes, signal }: BodyOptions,
): Promise<string | undefined> {
  if (response.body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const cancel = (): void => {
    // A body that has already failed cannot be cancelled.
    reader.cancel(signal.reason).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      // After a cancel the reader looks as if the body were complete.
      signal.throwIfAborted();
      if (done) return new TextDecoder().decode(Buffer.concat(chunks));
      bytes += value.length;
      if (bytes > maxBytes) {
        cancel();
        return undefined;
      }
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
