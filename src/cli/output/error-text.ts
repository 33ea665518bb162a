import { ExitCode, type Problem } from '../cli-error.js';

/** Checks the shape, because an error of another realm is no instance of this realm's `Error`. */
function hasText<K extends string>(error: unknown, key: K): error is Record<K, string> {
  return typeof error === 'object' && error !== null && typeof Reflect.get(error, key) === 'string';
}

export function messageOf(error: unknown): string {
  return hasText(error, 'message') ? error.message : String(error);
}

/** Node's code of a failed system call, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return hasText(error, 'code') ? error.code : undefined;
}

export function withCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}

const CODES: ReadonlySet<string | undefined> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
]);

/** A package of the command line or of the worker is missing; `undefined` for any other error. */
export function notInstalled(error: unknown): Problem | undefined {
  if (!CODES.has(codeOf(error))) return undefined;
  const [, name] =
    /^Cannot find (?:package|module) '((?:@[\w.-]+\/)?\w[\w.-]*)/.exec(messageOf(error)) ?? [];
  if (name === undefined) return undefined;
  return {
    type: 'NotInstalled',
    message: `The package "${name}" is not installed.`,
    advice:
      'Install gcore-workflows with all its packages: "npm ci" in a clone, elsewhere "npm install" without --omit=optional. To only start, follow and operate runs, gcore-workflows-client is enough.',
    exitCode: ExitCode.failed,
  };
}
