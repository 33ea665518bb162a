import { createHash } from 'node:crypto';
import { types } from 'node:util';

import { PIECE_BYTES, type UploadIndex } from '../../contract/wire/uploads.js';
import { unavailableFailure, unreadableFailure } from './manifest-failure.js';
import type { OpenManifest, OpenOptions } from './open-manifest.js';

/** Where uploaded lists are kept. Gives `undefined` for what is not there, and fails when nobody can tell. */
export interface UploadSource {
  index(sha256: string): Promise<UploadIndex | undefined>;
  piece(sha256: string): Promise<Uint8Array | undefined>;
}

/** Opens a list that a client has uploaded. What it reads of it is what was uploaded: each piece is named by its hash. */
export async function openUpload(
  source: UploadSource,
  sha256: string,
  { slice, signal }: OpenOptions,
): Promise<OpenManifest> {
  const kept = await asked(sha256, source.index(sha256));
  const { offset, length } = slice ?? { offset: 0, length: kept.bytes };
  const bytes = readPieces({ source, sha256, kept, signal }, { offset, end: offset + length });
  return { size: kept.bytes, bytes, close: () => Promise.resolve() };
}

interface Reading {
  source: UploadSource;
  sha256: string;
  kept: UploadIndex;
  signal: AbortSignal;
}

async function* readPieces(
  { source, sha256, kept, signal }: Reading,
  { offset, end }: { offset: number; end: number },
): AsyncGenerator<Uint8Array> {
  const first = Math.floor(offset / PIECE_BYTES);
  for (const [at, name] of kept.pieces.slice(first, Math.ceil(end / PIECE_BYTES)).entries()) {
    signal.throwIfAborted();
    const piece = await asked(sha256, source.piece(name));
    if (createHash('sha256').update(piece).digest('hex') !== name) {
      throw unreadableFailure(`A piece of the uploaded list ${sha256} is not what was uploaded`);
    }
    const start = (first + at) * PIECE_BYTES;
    yield piece.subarray(Math.max(0, offset - start), end - start);
  }
}

async function asked<T>(sha256: string, answer: Promise<T | undefined>): Promise<T> {
  const found = await answer.catch((error: unknown) => {
    const why = types.isNativeError(error) ? error.message : 'unknown error';
    throw unavailableFailure(`The uploaded list ${sha256} cannot be read now (${why})`);
  });
  if (found !== undefined) return found;
  throw unreadableFailure(
    `The uploaded list ${sha256} is not kept, or no longer: upload the same list again`,
  );
}
