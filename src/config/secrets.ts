import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

import type { Environment } from './environment.js';

/** Where the worker looks for the secrets that inputs name. */
export type SecretsConfig =
  | { kind: 'files'; folder: string }
  | { kind: 'environment'; values: Readonly<Record<string, string>> }
  | { kind: 'aws'; prefix: string };

const KINDS = ['files', 'environment', 'aws'] as const;
type Kind = (typeof KINDS)[number];

const FILE_VARIABLE = /_(FILE|PATH)$/;
const VARIABLE = /^GCORE_SECRET_/;
/** Why a secret of the worker itself may not be among them. */
export const SENDABLE = 'an input can send every secret that it names anywhere';
const SOUND_VARIABLE = /^GCORE_SECRET_[A-Z0-9][A-Z0-9_]{0,62}$/;
/** What AWS allows in a name. */
const SOUND_PREFIX = /^[\w/+=.@-]{1,200}$/;
const DEFAULT_PREFIX = 'gcore-workflows/';
const AWS_PACKAGE = '@aws-sdk/client-secrets-manager';

/**
 * Reads where secrets are. A setting that would have no effect is a fault: somebody believes that it has
 * one. Faults show no values.
 */
export function readSecrets(
  given: Environment,
  apart: readonly (string | undefined)[],
  faults: string[],
): SecretsConfig {
  const { GCORE_SECRETS_DIR: folder, GCORE_SECRETS_AWS_PREFIX: prefix } = given;
  const kind = kindOf(given, faults);
  const values = valuesOf(given);
  faults.push(
    ...(folder === undefined ? [] : folderFaults(folder, [...filesOf(given), ...apart])),
    ...unusedFaults(kind, { folder, prefix, variables: Object.keys(values) }),
    ...Object.keys(values)
      .filter((name) => !SOUND_VARIABLE.test(name))
      .map(unsoundVariable),
  );
  if (kind === 'files') {
    if (folder === undefined)
      faults.push('GCORE_SECRETS_DIR: is missing, but GCORE_SECRETS_PROVIDER is "files"');
    return { kind, folder: folder ?? '' };
  }
  if (kind === 'environment') return { kind, values };
  faults.push(...awsFaults(prefix));
  return { kind, prefix: prefix ?? DEFAULT_PREFIX };
}

function kindOf(given: Environment, faults: string[]): Kind {
  const { GCORE_SECRETS_PROVIDER: named, GCORE_SECRETS_DIR: folder } = given;
  const found = KINDS.find((kind) => kind === named);
  if (named !== undefined && found === undefined) {
    faults.push(`GCORE_SECRETS_PROVIDER: must be one of ${KINDS.join(', ')}`);
  }
  return found ?? (folder === undefined ? 'environment' : 'files');
}

/** Whether an input can name what this variable holds. */
export function isSecretVariable(name: string): boolean {
  return VARIABLE.test(name);
}

function valuesOf(given: Environment): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (isSecretVariable(name) && value !== undefined) values[name] = value;
  }
  return values;
}

function unsoundVariable(name: string): string {
  return `${name}: no secret has this name: use upper-case letters, digits and "_" after GCORE_SECRET_`;
}

/** Files that variables name, as for keys, certificates and tokens. */
function filesOf(given: Environment): (string | undefined)[] {
  return Object.entries(given).flatMap(([name, path]) => (FILE_VARIABLE.test(name) ? [path] : []));
}

function folderFaults(folder: string, apart: readonly (string | undefined)[]): string[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isAbsolute(folder) || !isFolder) {
    return ['GCORE_SECRETS_DIR: must be the absolute path of a directory'];
  }
  const root = realPath(folder);
  const inside = new Set(apart.filter((path) => path !== undefined && isBelow(root, path)));
  return [...inside].map(
    (path) =>
      `GCORE_SECRETS_DIR: must not contain ${path}, which the worker itself uses: ${SENDABLE}`,
  );
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, realPath(path));
  return !way.startsWith('..') && !isAbsolute(way);
}

/** A folder and a file in it may be named by different links. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

interface Settings {
  folder: string | undefined;
  prefix: string | undefined;
  variables: readonly string[];
}

function unusedFaults(kind: Kind, { folder, prefix, variables }: Settings): string[] {
  const unused = [
    ...(kind === 'files' || folder === undefined ? [] : ['GCORE_SECRETS_DIR']),
    ...(kind === 'aws' || prefix === undefined ? [] : ['GCORE_SECRETS_AWS_PREFIX']),
    ...(kind === 'environment' ? [] : variables),
  ];
  return unused.map(
    (name) => `${name}: has no effect, because secrets come from "${kind}": remove it`,
  );
}

function awsFaults(prefix: string | undefined): string[] {
  const isSound = prefix === undefined || SOUND_PREFIX.test(prefix);
  return [
    ...(isSound
      ? []
      : [
          'GCORE_SECRETS_AWS_PREFIX: must be the beginning of names of secrets, such as gcore-workflows/',
        ]),
    ...(isInstalled(AWS_PACKAGE)
      ? []
      : [`GCORE_SECRETS_PROVIDER: "aws" needs a package: npm install ${AWS_PACKAGE}`]),
  ];
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
