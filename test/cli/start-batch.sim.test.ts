import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { inWorld } from '../simulation/in-world.js';
import { runCommand } from '../simulation/world/command-line.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const DELETE = [
  ...['delete', instanceIdOf(1), '--volumes', 'delete', '--floating-ips', 'delete'],
  ...['--project', '1', '--region', '1'],
];

describe('an option that only a batch has', () => {
  it('makes a batch of a single item, so that its results are written', () =>
    inWorld({ state: STATE }, async ({ simulator }) => {
      const results = join(mkdtempSync(join(tmpdir(), 'results-')), 'done.jsonl');

      const told = await runCommand(...DELETE, '--results', results);

      expect(told).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 result') });
      expect(JSON.parse(readFileSync(results, 'utf8'))).toMatchObject({ line: 1 });
      expect(simulator.inventory().instances).toEqual([]);
    }));
});
