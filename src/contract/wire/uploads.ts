/**
 * A list that a client has handed over. The Temporal server keeps it in pieces, each in the input of a run that begins,
 * and ends, when nobody needs the list any more. Another run names the pieces in their order. Each is found by the
 * SHA-256 of what it holds, so a repeat keeps nothing twice, and nobody takes one list for another.
 */

/** Workflow Type of these runs. */
export const KEEP_UPLOAD = 'keepUpload';

/** Small enough for one payload, which has at most 2 MiB. */
export const PIECE_BYTES = 1024 ** 2;
export const MAX_UPLOAD_BYTES = 64 * 1024 ** 2;

/** A run may be paused, or wait for an API that is away. */
export const KEPT_DAYS = 30;

/** What is kept of a list as a whole. */
export interface UploadIndex {
  bytes: number;
  /** SHA-256 of each piece in hex. All but the last have `PIECE_BYTES`. */
  pieces: readonly string[];
}

const SCHEME = 'upload:';

/** The URL of a manifest. @param sha256 of the whole list, in hex */
export function uploadUrl(sha256: string): string {
  return SCHEME + sha256;
}

/** The SHA-256 in a URL of `uploadUrl`; `undefined` for any other. */
export function uploadedDigest(url: string): string | undefined {
  return url.startsWith(SCHEME) ? url.slice(SCHEME.length) : undefined;
}

/**
 * Workflow Id of the run that keeps the index of a list. Another upload ends that run, so no other product may call one
 * of its own so.
 */
export function indexWorkflowId(sha256: string): string {
  return `gcore-upload/${sha256}`;
}

/** Workflow Id of the run that keeps one piece. A list of one piece has the same hash. */
export function pieceWorkflowId(sha256: string): string {
  return `gcore-upload-piece/${sha256}`;
}
