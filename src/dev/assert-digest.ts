import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Throws unless the file has this SHA-256. Without a known digest no file is right. */
export async function assertDigest(file: string, expected: string | undefined): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest('hex');
  if (actual === expected) return;
  const wanted = expected ?? 'none, because no digest is known for it';
  throw new Error(`the SHA-256 of ${basename(file)} is ${actual}, expected ${wanted}`);
}
