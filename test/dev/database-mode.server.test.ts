import { statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import { startTemporalServer } from '../../src/dev/temporal-server.js';

const OWNER_ONLY = 0o600;

describe('the database of the embedded server', () => {
  it('can be read by its owner only', async () => {
    const { path: executable } = await resolveTemporalExecutable({
      cliPath: process.env['TEMPORAL_CLI_PATH'],
      path: process.env['PATH'],
    });
    const folder = await mkdtemp(join(tmpdir(), 'database-'));
    const dbFilename = join(folder, 'temporal.db');
    const modes = async () => {
      const names = await readdir(folder);
      // The journal of a transaction may be gone by now.
      const stats = names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
      return [...new Set(stats.flatMap((file) => (file === undefined ? [] : file.mode & 0o777)))];
    };
    try {
      const first = await startTemporalServer({ executable, dbFilename });
      expect(await modes()).toEqual([OWNER_ONLY]);
      await first.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
