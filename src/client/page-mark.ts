import { createHash } from 'node:crypto';

import { InvalidInputError } from './errors.js';

/** The server's mark of a page, as text that fits its own list only. */
export interface PageMark {
  seal: (token: Uint8Array) => string;
  /** Nothing for the first page. @throws InvalidInputError */
  open: (page: string | undefined) => Uint8Array;
}

const BYTES = 9;

/**
 * A server answers a mark of another list with wrong runs, and a mark that it never gave as if it were
 * away. So each has a checksum over the list. It is no secret: a forged mark shows nothing that a filter does not.
 */
export function createPageMark(list: string): PageMark {
  const sumOf = (token: Uint8Array): Buffer =>
    createHash('sha256').update(list).update('\n').update(token).digest().subarray(0, BYTES);
  return {
    seal: (token) => Buffer.concat([sumOf(token), token]).toString('base64url'),
    open(page) {
      if (page === undefined) return new Uint8Array();
      const bytes = Buffer.from(page, 'base64url');
      const token = bytes.subarray(BYTES);
      if (token.length > 0 && sumOf(token).equals(bytes.subarray(0, BYTES))) return token;
      throw new InvalidInputError([
        { path: 'page', message: 'is no page of this list: begin without it' },
      ]);
    },
  };
}
