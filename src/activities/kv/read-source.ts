import { cancellationSignal } from '@temporalio/activity';

import { kvItemSchema, type KvItem } from '../../contract/api/kv-item.js';
import type { Manifest } from '../../contract/manifest.js';
import type { ManifestReader } from '../manifest/create-manifest-reader.js';
import type { ManifestRange } from '../manifest/scan-manifest.js';

/** The items of a chunk: themselves, or where they stand. */
export type KvSource = { items: readonly KvItem[] } | { manifest: Manifest; range: ManifestRange };

export async function readSource(
  manifests: ManifestReader,
  source: KvSource,
): Promise<readonly KvItem[]> {
  if ('items' in source) return source.items;
  const { manifest, range } = source;
  const reading = { schema: kvItemSchema, range, signal: cancellationSignal() };
  const lines = await manifests.read(manifest, reading);
  return lines.map(({ value }) => value);
}
