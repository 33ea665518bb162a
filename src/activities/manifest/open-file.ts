import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { types } from 'node:util';

import { manifestName, manifestPath } from '../../contract/manifest.js';
import { unreadableFailure } from './manifest-failure.js';
import type { OpenManifest, OpenOptions } from './open-manifest.js';

const CHUNK_BYTES = 256 * 1024;

/** Opens a regular file below `root`; refuses links that lead out of it. */
export async function openFile(
  root: string,
  url: string,
  { slice, signal }: OpenOptions,
): Promise<OpenManifest> {
  const file = await openBelow(root, url);
  try {
    const { size } = await file.stat();
    const { offset, length } = slice ?? { offset: 0, length: size };
    const range = { start: offset, end: offset + length - 1 };
    const bytes =
      length === 0
        ? emptyBytes()
        : file.createReadStream({ ...range, autoClose: false, highWaterMark: CHUNK_BYTES, signal });
    return { size, bytes, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* emptyBytes(): AsyncGenerator<Uint8Array> {
  // Yields nothing: the range of a read stream cannot be empty.
}

/** Open the file first, then check it: nobody can swap it in between. */
async function openBelow(root: string, url: string): Promise<FileHandle> {
  const name = manifestName(url);
  const path = join(root, manifestPath(url));
  // Non-blocking, because opening a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw unreadableFailure(`The manifest ${name} cannot be opened (${codeOf(error)})`);
    },
  );
  try {
    const [realRoot, realFile] = await Promise.all([realpath(root), realpath(path)]);
    const [opened, named] = await Promise.all([file.stat(), stat(realFile)]);
    const isSame = opened.ino === named.ino && opened.dev === named.dev;
    const isBelow = realFile.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
    if (!isBelow || !isSame) {
      throw unreadableFailure(`The manifest ${name} is outside GCORE_MANIFEST_ROOT`);
    }
    if (!opened.isFile()) throw unreadableFailure(`The manifest ${name} is not a regular file`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function codeOf(error: unknown): string {
  const hasCode = types.isNativeError(error) && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : 'unknown error';
}
