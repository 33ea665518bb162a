/** Bytes of a manifest, from a file or over https. */
export interface OpenManifest {
  /** Size of the whole manifest; `undefined` when the server does not say. */
  size: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** A part of a manifest: `length` bytes from `offset` on. */
export interface Slice {
  offset: number;
  length: number;
}

export interface OpenOptions {
  /** Default: the whole manifest. */
  slice?: Slice;
  signal: AbortSignal;
}
