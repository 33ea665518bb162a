import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

import { z } from 'zod';

import type { KnownFields } from '../../../src/engine/core/prepared-run.js';

const CORPUS = resolve('test/replay/corpus');

const fieldsSchema: z.ZodType<KnownFields> = z.lazy(() =>
  z.record(z.string(), z.union([z.literal(true), fieldsSchema])),
);

const releaseSchema = z.object({
  version: z.string(),
  /** What it was built from. */
  commit: z.string(),
  histories: z.number(),
  /** The fields that it knows of what runs record, by operation. */
  prepared: z.record(z.string(), fieldsSchema),
  /** The patches that it knows. */
  patches: z.array(z.string()),
});

/** What a released version has left for all later ones (`npm run release:histories`). */
export type Corpus = z.infer<typeof releaseSchema>;

/** The oldest first; none before the first release. */
export function corpora(folder = CORPUS): Corpus[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) =>
      releaseSchema.parse(JSON.parse(readFileSync(`${folder}/${name}/release.json`, 'utf8'))),
    )
    .sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

/** The histories that this version has brought, by their file names. */
export function historiesOfRelease({ version }: Corpus, folder = CORPUS): Map<string, unknown> {
  const packed = readFileSync(`${folder}/${version}/histories.json.br`);
  const histories = z
    .record(z.string(), z.string())
    .parse(JSON.parse(brotliDecompressSync(packed).toString()));
  return new Map(
    Object.entries(histories).map(([name, text]): [string, unknown] => [name, JSON.parse(text)]),
  );
}
