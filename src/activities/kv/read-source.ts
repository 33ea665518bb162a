import { cancellationSignal } from '@temporalio/activity';

import { kvItemSchema, type KvItem } from '../../contract/api/fastedge.js';
import type { Manifest } from '../../contract/manifest.js';
import { fromRanges, toRanges } from '../../engine/core/number-ranges.js';
import type { ManifestItem, ManifestReader } from '../manifest/create-manifest-reader.js';
import type { ManifestRange } from '../manifest/scan-manifest.js';

/** The items of a chunk, or the place where they can be read. */
export type KvSource =
  | { items: readonly KvItem[] }
  | { manifest: Manifest; range: ManifestRange & { hasSecrets?: true } };

/** @param only indexes of the items; all when left out */
export async function readSource(
  manifests: ManifestReader,
  source: KvSource,
  only?: readonly number[],
): Promise<readonly KvItem[]> {
  const lines = await readLines(manifests, source, only);
  return lines.map(({ value }) => value);
}

/** The same with a number for each item: its line, or its position from 1. */
export async function readLines(
  manifests: ManifestReader,
  source: KvSource,
  only?: readonly number[],
): Promise<ManifestItem<KvItem>[]> {
  if ('items' in source) {
    const all = source.items.map((value, index) => ({ line: index + 1, value }));
    return only === undefined ? all : only.flatMap((at) => all[at] ?? []);
  }
  const { manifest, range: whole } = source;
  const range = only === undefined ? whole : narrowed(whole, only);
  return manifests.read(manifest, {
    schema: kvItemSchema,
    range,
    signal: cancellationSignal(),
  });
}

/** The same bytes, of which fewer lines are parsed. */
function narrowed(range: ManifestRange, only: readonly number[]): ManifestRange {
  const taken = range.only === undefined ? undefined : [...fromRanges(range.only)];
  const wanted = [...new Set(only)]
    .filter((at) => at < range.count)
    .map((at) => taken?.[at] ?? range.line + at)
    .sort((a, b) => a - b);
  return { ...range, only: toRanges(wanted), count: wanted.length };
}
