/** Bytes from an offset on; all that follow without a `length`. */
export interface Part {
  offset: number;
  length?: number;
  /** The version that the part has to be of. */
  version?: string;
}

export function restOf({ offset, length }: Part, read: number): Part {
  return { offset: offset + read, ...(length !== undefined && { length: length - read }) };
}

/** Tells one content from another. A weak tag may stand for several. */
export function versionOf({ headers }: Response): string | undefined {
  const tag = headers.get('etag') ?? undefined;
  if (tag !== undefined && !tag.startsWith('W/')) return tag;
  return headers.get('last-modified') ?? undefined;
}

export function isRestOf(
  rest: Response,
  { offset, version }: { offset: number; version: string | undefined },
): boolean {
  const from = /^bytes (\d+)-/.exec(rest.headers.get('content-range') ?? '')?.[1];
  const isThere = rest.status === 200 || Number(from) === offset;
  return isThere && version !== undefined && versionOf(rest) === version;
}

export function rangeHeaders({ offset, length, version }: Part): Record<string, string> {
  const end = length === undefined ? '' : offset + length - 1;
  return { range: `bytes=${offset}-${end}`, ...(version !== undefined && { 'if-range': version }) };
}

export function sizeOfPart({ headers }: Response): number | undefined {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}

export function sizeOfWhole({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null ? undefined : Number(length);
}
