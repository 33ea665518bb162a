import type { ManifestRange } from '../../../activities/manifest/scan-manifest.js';

/** Lines that one call sends. */
export interface ImportBatch {
  lines: string;
  /** Their place in the manifest. */
  range?: ManifestRange;
}

/** Written in one way only, as `toRanges` would. */
export function rangeLines({
  line,
  count,
  only,
}: Pick<ManifestRange, 'line' | 'count' | 'only'>): string {
  if (only !== undefined) return only;
  return count === 1 ? String(line) : `${line}-${line + count - 1}`;
}
