/** Bytes of a manifest, from a file or over https. */
export interface OpenManifest {
  /** Of the whole; `undefined` where a server does not say. */
  size: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** A part of it: `length` bytes from `offset` on. The whole when left out. */
export interface Slice {
  offset: number;
  length: number;
}

export interface OpenOptions {
  slice?: Slice;
  signal: AbortSignal;
}
