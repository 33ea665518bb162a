import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SecretsFolder {
  path: string;
  /** Writes a secret, or replaces its value at once. */
  write: (name: string, value: string) => void;
}

/** A new folder of secrets for a worker. */
export function createSecretsFolder(secrets: Readonly<Record<string, string>> = {}): SecretsFolder {
  const path = mkdtempSync(join(tmpdir(), 'secrets-'));
  const write = (name: string, value: string): void => {
    writeFileSync(join(path, `.${name}`), value);
    renameSync(join(path, `.${name}`), join(path, name));
  };
  for (const [name, value] of Object.entries(secrets)) write(name, value);
  return { path, write };
}
