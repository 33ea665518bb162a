import { z } from 'zod';

const SCHEMES = 'must begin with "file:" (a path under GCORE_MANIFEST_ROOT) or "https:"';
const LONGEST_URL = 2_048;

/**
 * A list of items by reference: JSON Lines (one JSON object a line, UTF-8), read by the worker and
 * never shipped through Temporal. What a manifest holds stays out of every history.
 *
 * @example
 * { url: 'file:imports/2026-05.jsonl' }
 */
export const manifestSchema = z.strictObject({
  url: z
    .string()
    .max(LONGEST_URL, { error: `must have at most ${LONGEST_URL} characters` })
    .superRefine(checkUrl)
    .describe(
      '"file:" and a path below the worker\'s GCORE_MANIFEST_ROOT, or an https URL whose host is in GCORE_MANIFEST_HOSTS',
    ),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lower-case hex: 64 digits' })
    .optional()
    .describe('of the whole; a manifest with another one is refused before anything is sent'),
});
export type Manifest = z.infer<typeof manifestSchema>;

function checkUrl(url: string, context: z.RefinementCtx): void {
  const fault = url.startsWith('file:') ? filePathFault(url) : httpsFault(url);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
}

function filePathFault(url: string): string | undefined {
  const path = manifestPath(url);
  if (path === '' || path.endsWith('/')) return 'must name a file, such as "file:videos.jsonl"';
  // eslint-disable-next-line no-control-regex
  if (/[\\\u0000-\u001f]/.test(path)) return 'must not have "\\" or control characters in it';
  const isOutside = path.startsWith('/') || path.split('/').includes('..');
  return isOutside
    ? 'must be a path below GCORE_MANIFEST_ROOT: without "/" at the front and without ".."'
    : undefined;
}

function httpsFault(url: string): string | undefined {
  if (!URL.canParse(url)) return SCHEMES;
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:') return SCHEMES;
  return username === '' && password === ''
    ? undefined
    : 'must not carry credentials: they would stand in the history of the run';
}

/** `file:a/b.jsonl` → `a/b.jsonl` */
export function manifestPath(url: string): string {
  return url.slice('file:'.length);
}

/** For messages: without query and fragment, where signatures of presigned URLs stand. */
export function manifestName(url: string): string {
  return url.replace(/[?#].*$/, '');
}
