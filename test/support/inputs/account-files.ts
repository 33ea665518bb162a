import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AccountFiles {
  folder: string;
  /** Writes a file into the folder and returns its path. */
  write: (name: string, content: string) => string;
  /** Writes the accounts file and returns its path. */
  accounts: (accounts: Record<string, unknown>) => string;
}

/** A folder with files of keys and accounts, for one test. */
export async function withAccountFiles(
  use: (files: AccountFiles) => Promise<void> | void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'account-files-'));
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  try {
    await use({
      folder,
      write,
      accounts: (accounts) => write('accounts.json', JSON.stringify({ accounts })),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
