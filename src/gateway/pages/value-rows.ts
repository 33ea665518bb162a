import { isIP } from 'node:net';

import { cutText } from '../../engine/core/text.js';

/** One plain value of a result. */
export interface Row {
  /** Such as `addresses[0].address`. */
  path: string;
  text: string;
  /** Worth a button to copy it: an id or an address. */
  isId: boolean;
  isLink: boolean;
}

const MOST_ROWS = 24;
const MOST_DEPTH = 4;
/** A result may have 100,000 values. */
const MOST_VISITED = 2_000;
const MOST_BYTES = 500;

/** The page shows these in a form of their own. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['ledger', 'report']);

/** The plain values of a result, addresses first, then links and ids, then the rest as they come. */
export function rowsOf(result: unknown): { shown: Row[]; more: number } {
  const rows: Row[] = [];
  collect(result, { path: '', depth: 0, rows });
  const sorted = rows.toSorted((one, other) => rankOf(one) - rankOf(other));
  return { shown: sorted.slice(0, MOST_ROWS), more: Math.max(0, rows.length - MOST_ROWS) };
}

function rankOf({ text, isId, isLink }: Row): number {
  if (isIP(text) !== 0) return 0;
  if (isLink) return 1;
  return isId ? 2 : 3;
}

interface Place {
  path: string;
  depth: number;
  rows: Row[];
}

function collect(value: unknown, { path, depth, rows }: Place): void {
  if (rows.length >= MOST_VISITED || value === null || value === undefined) return;
  if (typeof value !== 'object') {
    rows.push(toRow(path, typeof value === 'string' ? value : JSON.stringify(value)));
    return;
  }
  if (depth > MOST_DEPTH) return;
  for (const [name, inner] of Object.entries(value)) {
    if (depth === 0 && SHOWN_ELSEWHERE.has(name)) continue;
    const step = Array.isArray(value) ? `${path}[${name}]` : [path, name].filter(Boolean).join('.');
    collect(inner, { path: step, depth: depth + 1, rows });
  }
}

const ID_NAME = /(?:^|[.\]])(?:id|\w+Ids?)(?:\[\d+\])?$/;

function toRow(path: string, value: string): Row {
  const text = cutText(value, MOST_BYTES);
  const isLink = /^https:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text);
  return { path, text, isLink, isId: !isLink && isWorthCopying(path, text) };
}

/** Nobody copies the number of a region. */
const SHORTEST_ID = 6;

function isWorthCopying(path: string, text: string): boolean {
  return isIP(text) !== 0 || (ID_NAME.test(path) && text.length >= SHORTEST_ID);
}
