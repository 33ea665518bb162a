import type { Problem } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { codeOf, messageOf } from './error-text.js';

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
