import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { performance } from 'node:perf_hooks';

import { MAX_SECRET_BYTES, type FoundSecret, type SecretSource } from '../../activities/index.js';
import type { SecretsConfig } from '../../config/secrets.js';
import { SECRET_NAME } from '../../contract/secret-ref-schema.js';
import { createAwsSecrets } from './aws-secrets.js';
import { toSecretText, TOO_LONG } from './to-secret-text.js';

/** Kubernetes replaces the folder behind its links while a secret is being looked up. */
const MAX_TRIES = 3;
/** The worker may not read it, or it is no file. */
const FORBIDDEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ELOOP', 'EISDIR', 'ENOTDIR']);

/**
 * Secrets in files of a folder: the name of the file is the name of the secret. Links must stay inside of the
 * folder, as those of a mounted Kubernetes secret do. One line break at the end of a file does not count.
 */
export function createFileSecrets(folder: string): SecretSource {
  return {
    async read(name): Promise<FoundSecret> {
      const missing = { is: 'missing', advice: adviceFor(name) } as const;
      if (!SECRET_NAME.test(name)) return missing;
      for (let tries = 1; ; tries++) {
        try {
          return await readFileSecret(folder, name);
        } catch (error) {
          const code = codeOf(error);
          if (code !== 'ENOENT') return unreadable(name, code);
          if (tries === MAX_TRIES) return missing;
        }
      }
    },
  };
}

function adviceFor(name: string): string {
  return `Write it into a file "${name}" of the folder GCORE_SECRETS_DIR of the worker.`;
}

function unreadable(name: string, code: string): FoundSecret {
  const why = `cannot be read (${code})`;
  if (!FORBIDDEN.has(code)) return { is: 'away', why: code };
  return { is: 'unreadable', why, advice: `Let the worker read it. ${adviceFor(name)}` };
}

async function readFileSecret(folder: string, name: string): Promise<FoundSecret> {
  const root = await realpath(folder);
  const path = await realpath(join(root, name));
  if (!path.startsWith(root + sep)) {
    const why = 'is a link to a file outside of the folder';
    return { is: 'unreadable', why, advice: adviceFor(name) };
  }
  // A pipe would block the thread that opens it.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await readHandle(file, root, name);
  } finally {
    await file.close();
  }
}

async function readHandle(file: FileHandle, root: string, name: string): Promise<FoundSecret> {
  const [own, folder] = await Promise.all([file.stat(), stat(root)]);
  if (!own.isFile()) {
    return { is: 'unreadable', why: 'is no file', advice: adviceFor(name) };
  }
  if (own.size > MAX_SECRET_BYTES) return TOO_LONG;
  const text = toSecretText(await file.readFile());
  if (typeof text !== 'string') return text;
  // A link that now leads to another file changes the folder, not the file.
  const since = Math.max(own.mtimeMs, own.ctimeMs, folder.mtimeMs, folder.ctimeMs);
  return { is: 'found', text: text.replace(/\r?\n$/, ''), since: () => Promise.resolve(since) };
}

function codeOf(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode ? String(error.code) : 'unknown error';
}

const PREFIX = 'GCORE_SECRET_';

/** Secrets in variables: `GCORE_SECRET_WEB_ADMIN` is the secret `web-admin`. They change with the process only. */
export function createEnvironmentSecrets(values: Readonly<Record<string, string>>): SecretSource {
  return {
    read(name): Promise<FoundSecret> {
      const variable = `${PREFIX}${name.toUpperCase().replaceAll(/[.-]/g, '_')}`;
      const value = Object.hasOwn(values, variable) ? values[variable] : undefined;
      const advice = `Set ${variable} for the worker and restart it, or keep secrets in files (GCORE_SECRETS_DIR).`;
      if (value === undefined) return Promise.resolve({ is: 'missing', advice });
      const text = toSecretText(Buffer.from(value));
      if (typeof text !== 'string') return Promise.resolve(text);
      const since = () => Promise.resolve(performance.timeOrigin);
      return Promise.resolve({ is: 'found', text, since });
    },
  };
}

/** The place that the configuration chooses. */
export function createSecretSource(config: SecretsConfig): SecretSource {
  switch (config.kind) {
    case 'files':
      return createFileSecrets(config.folder);
    case 'environment':
      return createEnvironmentSecrets(config.values);
    case 'aws':
      return createAwsSecrets(config);
  }
}
