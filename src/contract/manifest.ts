import { z } from 'zod';

import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { isUploadUrl, uploadOfUrl } from './wire/uploads.js';

const SCHEME_RULE =
  'must start with "file:" (a path below GCORE_MANIFEST_ROOT), "https:" or "upload:", without white space';
const SHA256 = /^[0-9a-f]{64}$/;
const SHA256_RULE = 'must be a SHA-256 in lower-case hex: 64 digits';
const UPLOAD_RULE =
  'must be what an upload has answered: "upload:", the account, "/" and a SHA-256 in lower-case hex';
const MAX_URL_LENGTH = 2_048;

/**
 * A list of items by reference: JSON Lines (one JSON object per line, UTF-8). The worker reads it.
 * Its content stays out of the history of the run.
 *
 * @example
 * { url: 'file:imports/2026-05.jsonl' }
 */
export const manifestSchema = z.strictObject({
  url: z
    .string()
    .max(MAX_URL_LENGTH, { error: `must have at most ${MAX_URL_LENGTH} characters` })
    .superRefine(checkUrl)
    .describe(
      '"file:" and a path below GCORE_MANIFEST_ROOT of the worker, an https URL whose host is in GCORE_MANIFEST_HOSTS, or what an upload has answered',
    ),
  sha256: z
    .string()
    .regex(SHA256, { error: SHA256_RULE })
    .optional()
    .describe('of the whole file; the run refuses any other content before it sends anything'),
});
export type Manifest = z.infer<typeof manifestSchema>;

function checkUrl(url: string, context: z.RefinementCtx): void {
  const fault = faultOf(url);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
}

function faultOf(url: string): string | undefined {
  if (isUploadUrl(url)) return uploadOfUrl(url) === undefined ? UPLOAD_RULE : undefined;
  return url.startsWith('file:') ? filePathFault(url) : httpsFault(url);
}

function filePathFault(url: string): string | undefined {
  const path = manifestPath(url);
  if (path === '' || path.endsWith('/')) return 'must name a file, such as "file:videos.jsonl"';
  // eslint-disable-next-line no-control-regex
  if (/[\\\u0000-\u001f]/.test(path)) return 'must not contain "\\" or control characters';
  const isOutside = path.startsWith('/') || path.split('/').includes('..');
  return isOutside ? 'must be a relative path below GCORE_MANIFEST_ROOT, without ".."' : undefined;
}

function httpsFault(url: string): string | undefined {
  // A URL parser drops line breaks, so a text with one is not the URL that is read.
  if (!URL.canParse(url) || /[\p{Cc}\s]/u.test(url)) return SCHEME_RULE;
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:') return SCHEME_RULE;
  return username === '' && password === ''
    ? undefined
    : 'must not contain credentials: the history of the run would store them';
}

interface Naming {
  account?: string | undefined;
  manifest?: Manifest | undefined;
}

/** What one account keeps, no run of another one reads. */
export function refuseOtherUpload(
  { account = DEFAULT_ACCOUNT, manifest }: Naming,
  context: z.RefinementCtx,
): void {
  const upload = manifest && uploadOfUrl(manifest.url);
  if (upload === undefined || upload.account === account) return;
  const message = `is an uploaded list of another account: upload it for the account "${account}"`;
  context.addIssue({ code: 'custom', path: ['manifest', 'url'], message });
}

/** SHA-256 of the whole list, where its author has named it. Any other list may have changed since. */
export function digestOfManifest({ url, sha256 }: Manifest): string | undefined {
  return sha256 ?? uploadOfUrl(url)?.sha256;
}

/** `file:a/b.jsonl` → `a/b.jsonl` */
export function manifestPath(url: string): string {
  return url.slice('file:'.length);
}

/**
 * The URL for messages: without query and fragment, because presigned URLs have their signature there,
 * and without a user.
 */
export function manifestName(url: string): string {
  const [place = ''] = url.split(/[?#]/, 1);
  return place.replace(/\/\/[^/]*@/, '//');
}
