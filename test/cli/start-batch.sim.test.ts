import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { inWorld } from '../simulation/in-world.js';
import { runCommand } from '../simulation/world/command-line.js';
import { until } from '../support/timing/until.js';
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

describe('results that cannot be written in the end', () => {
  it('hide neither how the run has ended nor that it was sent', () =>
    inWorld({ state: STATE }, async ({ server }) => {
      const folder = mkdtempSync(join(tmpdir(), 'results-'));
      const list = join(mkdtempSync(join(tmpdir(), 'list-')), 'list.jsonl');
      const item = { instanceId: instanceIdOf(9), action: 'stop', projectId: 1, regionId: 1 };
      writeFileSync(list, `${JSON.stringify(item)}\n`);

      const telling = runCommand(
        ...['batch', 'set-instance-power', list, '--request-id', 'night'],
        ...['--results', join(folder, 'done.jsonl')],
      );
      await until('it is started', () => server.executions().length > 0);
      rmSync(folder, { recursive: true });
      const told = await telling;

      expect(told).toMatchObject({ exitCode: 3 });
      expect(told.stderr).toMatch(/results are not written:.*done\.jsonl cannot be written/);
      expect(told.stderr).toContain('ItemsFailed');
    }));
});
