import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

import type { Environment } from './environment.js';

/** Where the worker looks for the secrets that inputs name. */
export type SecretsConfig =
  | { kind: 'files'; folder: string }
  | { kind: 'environment'; values: Readonly<Record<string, string>> }
  | { kind: 'aws'; prefix: string };

const KINDS = ['files', 'environment', 'aws'] as const;
type Kind = (typeof KINDS)[number];

const VARIABLE = /^GCORE_SECRET_/;
const SOUND_VARIABLE = /^GCORE_SECRET_[A-Z0-9][A-Z0-9_]{0,62}$/;
/** What AWS allows in a name. */
const SOUND_PREFIX = /^[\w/+=.@-]{1,200}$/;
const DEFAULT_PREFIX = 'gcore-workflows/';
const AWS_PACKAGE = '@aws-sdk/client-secrets-manager';

/**
 * Reads where secrets are. A setting that would have no effect is a fault: somebody believes that it has
 * one. Faults show no values.
 */
export function readSecrets(given: Environment, faults: string[]): SecretsConfig {
  const { GCORE_SECRETS_DIR: folder, GCORE_SECRETS_AWS_PREFIX: prefix } = given;
  const kind = kindOf(given, faults);
  const values = valuesOf(given);
  faults.push(
    ...(folder === undefined ? [] : folderFaults(folder, given)),
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

function valuesOf(given: Environment): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (VARIABLE.test(name) && value !== undefined) values[name] = value;
  }
  return values;
}

function unsoundVariable(name: string): string {
  return `${name}: no secret has this name: use upper-case letters, digits and "_" after GCORE_SECRET_`;
}

function folderFaults(folder: string, { GCORE_API_KEY_FILE: keyFile }: Environment): string[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isAbsolute(folder) || !isFolder) {
    return ['GCORE_SECRETS_DIR: must be the absolute path of a directory'];
  }
  if (keyFile === undefined) return [];
  const path = relative(folder, resolve(keyFile));
  const isInside = !path.startsWith('..') && !isAbsolute(path);
  return isInside
    ? [
        'GCORE_SECRETS_DIR: must not contain the API key: an input can send every secret of it anywhere',
      ]
    : [];
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
