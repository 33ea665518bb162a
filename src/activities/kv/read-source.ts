import { cancellationSignal } from '@temporalio/activity';

import { kvItemSchema, type KvItem } from '../../contract/api/fastedge.js';
import type { Manifest } from '../../contract/manifest.js';
import type { ManifestItem, ManifestReader } from '../manifest/create-manifest-reader.js';
import type { ManifestRange } from '../manifest/scan-manifest.js';

/** The items of a chunk, or the place where they can be read. */
export type KvSource =
  | { items: readonly KvItem[] }
  | { manifest: Manifest; range: ManifestRange & { hasSecrets?: true } };

export async function readSource(
  manifests: ManifestReader,
  source: KvSource,
): Promise<readonly KvItem[]> {
  if ('items' in source) return source.items;
  const lines = await readLines(manifests, source);
  return lines.map(({ value }) => value);
}

/** The same with a number for each item: its line, or its position from 1. */
export async function readLines(
  manifests: ManifestReader,
  source: KvSource,
): Promise<ManifestItem<KvItem>[]> {
  if ('items' in source) return source.items.map((value, index) => ({ line: index + 1, value }));
  const { manifest, range } = source;
  const reading = { schema: kvItemSchema, range, signal: cancellationSignal() };
  return manifests.read(manifest, reading);
}
