import { promisify, types } from 'node:util';
import { gunzip } from 'node:zlib';

import {
  PIECE_BYTES,
  uploadUrl,
  type UploadIndex,
  type UploadName,
} from '../../contract/wire/uploads.js';
import { unavailableFailure, unreadableFailure } from './manifest-failure.js';
import type { OpenManifest, OpenOptions } from './open-manifest.js';

/** Where uploaded lists are kept. Gives `undefined` for what is not there, and fails when nobody can tell. */
export interface UploadSource {
  index(name: UploadName): Promise<UploadIndex | undefined>;
  /** As it is kept: compressed. @param at number of the piece, from 0 */
  piece(name: UploadName, at: number): Promise<Uint8Array | undefined>;
}

/**
 * Opens a list that a client has uploaded. That what it reads is what was uploaded, the hash of the whole list shows, and
 * then the hash of each part.
 */
export async function openUpload(
  source: UploadSource,
  name: UploadName,
  { slice, signal }: OpenOptions,
): Promise<OpenManifest> {
  const kept = await asked(name, source.index(name));
  const { offset, length } = slice ?? { offset: 0, length: kept.bytes };
  const bytes = readPieces({ source, name, kept, signal }, { offset, end: offset + length });
  return { size: kept.bytes, bytes, close: () => Promise.resolve() };
}

interface Reading {
  source: UploadSource;
  name: UploadName;
  kept: UploadIndex;
  signal: AbortSignal;
}

async function* readPieces(
  { source, name, kept, signal }: Reading,
  range: { offset: number; end: number },
): AsyncGenerator<Uint8Array> {
  const end = Math.min(range.end, kept.bytes);
  const first = Math.floor(range.offset / PIECE_BYTES);
  for (let at = first; at * PIECE_BYTES < end; at++) {
    signal.throwIfAborted();
    const start = at * PIECE_BYTES;
    const length = Math.min(PIECE_BYTES, kept.bytes - start);
    const piece = await expanded(name, await asked(name, source.piece(name, at)), length);
    yield piece.subarray(Math.max(0, range.offset - start), end - start);
  }
}

/** Whoever may start workflows in the namespace could have written it: it must not grow above what the index says. */
async function expanded(name: UploadName, piece: Uint8Array, length: number): Promise<Uint8Array> {
  // Looked up each time: in virtual time it is another one.
  const found = await promisify(gunzip)(piece, { maxOutputLength: length }).catch(() => undefined);
  if (found?.length === length) return found;
  throw unreadableFailure(
    `A piece of the uploaded list ${uploadUrl(name)} is not what was uploaded`,
  );
}

async function asked<T>(name: UploadName, answer: Promise<T | undefined>): Promise<T> {
  const found = await answer.catch((error: unknown) => {
    const why = types.isNativeError(error) ? error.message : 'unknown error';
    throw unavailableFailure(`The list ${uploadUrl(name)} cannot be read now (${why})`);
  });
  if (found !== undefined) return found;
  throw unreadableFailure(
    `The list ${uploadUrl(name)} is not kept, or no longer: upload the same list again`,
  );
}
