/**
 * A list that a client has handed over. The Temporal server keeps it, each part in the input of a run of `keepUpload` that
 * begins, and ends, when its time is over. Of one list these are, in the order in which they come:
 *
 * 1. the claim, with the facts of the list in its memo: whoever counts what is kept counts the claims,
 * 2. the pieces, each compressed by itself,
 * 3. the index: where there is one, there are all pieces.
 *
 * They are named by the account and the SHA-256 of the whole list, so a repeat finds them, and nobody takes one list for
 * another. No two lists share a piece: each can be deleted by itself.
 */

/** Workflow Type of these runs. */
export const KEEP_UPLOAD = 'keepUpload';

/**
 * Of the list, in one piece. A payload has at most 2 MiB. What is text of JSON is always smaller when it is compressed,
 * by a tenth at least: not all values of a byte come up in it.
 */
export const PIECE_BYTES = 2 * 1024 ** 2;
export const MAX_UPLOAD_BYTES = 64 * 1024 ** 2;

/** A run may be paused, or wait for an API that is away. */
export const KEPT_DAYS = 30;

/** What names a list. */
export interface UploadName {
  account: string;
  /** Of the whole list, in hex. */
  sha256: string;
}

/** What is kept of a list as a whole. */
export interface UploadIndex {
  bytes: number;
}

const SCHEME = 'upload:';

/** The URL of a manifest: `upload:<account>/<sha256>`. */
export function uploadUrl({ account, sha256 }: UploadName): string {
  return `${SCHEME}${account}/${sha256}`;
}

export function isUploadUrl(url: string): boolean {
  return url.startsWith(SCHEME);
}

const NAME = /^upload:([a-z0-9][a-z0-9-]{0,62})\/([0-9a-f]{64})$/;

/** The name in a URL of `uploadUrl`; `undefined` for any other. */
export function uploadOfUrl(url: string): UploadName | undefined {
  const [, account, sha256] = NAME.exec(url) ?? [];
  return account === undefined || sha256 === undefined ? undefined : { account, sha256 };
}

/** All but the last piece have `PIECE_BYTES` of the list. */
export function countPieces({ bytes }: UploadIndex): number {
  return Math.ceil(bytes / PIECE_BYTES);
}

/** What the Workflow Ids of claims and indexes begin with, and those of no other product. */
export const UPLOAD_PREFIX = 'gcore-upload/';
const CLAIM = '/claim';

/** Workflow Id of the run that keeps the index of a list. */
export function indexWorkflowId({ account, sha256 }: UploadName): string {
  return `${UPLOAD_PREFIX}${account}/${sha256}`;
}

export function claimWorkflowId(name: UploadName): string {
  return `${indexWorkflowId(name)}${CLAIM}`;
}

/** What a Workflow Id of one of both says; `undefined` for any other. */
export function uploadOfId(id: string): { name: UploadName; isClaim: boolean } | undefined {
  const isClaim = id.endsWith(CLAIM);
  const path = id.slice(UPLOAD_PREFIX.length, isClaim ? -CLAIM.length : undefined);
  const name = id.startsWith(UPLOAD_PREFIX) ? uploadOfUrl(`${SCHEME}${path}`) : undefined;
  return name && { name, isClaim };
}

/** @param at number of the piece, from 0 */
export function pieceWorkflowId({ account, sha256 }: UploadName, at: number): string {
  return `gcore-upload-piece/${account}/${sha256}/${at}`;
}
