import { describe, expect, it } from '@jest/globals';

import { statusDocumentSchema } from '../../../src/contract/documents.js';
import { ADDRESS } from '../../support/inputs/protect-input.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { openCli } from '../open-cli.js';

const ID = `protect-ip/default/${ADDRESS}`;
const PLACE = ['--project', '1', '--region', '1'];
const PROTECT = ['protect', ADDRESS, '--template', '12', '--field', '3=[8080, 8443]', ...PLACE];

let world: CliWorld;

const cli = openCli('each', (opened) => {
  world = opened;
});

describe('protect', () => {
  it('prints the verified profile, and the same request may run again', async () => {
    const [first, second, explained] = await world.withWorker(async () => [
      await cli(...PROTECT),
      await cli(...PROTECT),
      await cli('explain', ID),
    ]);

    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain(`Run ${ID}`);
    expect(JSON.parse(first.stdout)).toMatchObject({
      created: true,
      after: { active: true, profile: { fields: [{ base_field: 3, field_value: [8080, 8443] }] } },
    });
    expect(JSON.parse(second.stdout)).toMatchObject({ created: false, taskIds: [] });
    expect(explained.stdout).toContain('(protectIp)');
  });

  it('returns when the protection is held, which extend and restore change', async () => {
    const [held, extended, restored, result] = await world.withWorker(async () => [
      await cli(...PROTECT, '--hold-for', '1 hour'),
      await cli('extend', ID, '--for', '2 hours'),
      await cli('restore', ID),
      await cli('result', ID),
    ]);

    expect(held.exitCode).toBe(0);
    expect(statusDocumentSchema.parse(JSON.parse(held.stdout)).steps[3]).toMatchObject({
      name: 'verify protection',
      state: 'verified',
    });
    expect(held.stderr).toContain(`extend ${ID} --for '2 hours'`);
    expect(extended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^The run holds the protection at least until 20/),
    });
    expect(restored.exitCode).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ restored: true });
    expect(world.simulator.inventory().ddosProfiles).toEqual([]);
  });

  it('names a fault of its options without a server', async () => {
    const bare = await cli('protect');
    const field = await cli(...PROTECT, '--field', 'ports');
    const time = await cli('extend', ID, '--for', 'long');

    expect(bare).toMatchObject({ exitCode: 64 });
    expect(bare.stderr).toMatch(/profile\.ip_address +is missing/);
    expect(bare.stderr).toMatch(/profile\.profile_template +is missing/);
    expect(field).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('3=VALUE') });
    expect(time).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('a duration with a unit'),
    });
  });

  it('refuses to extend a run that holds nothing', async () => {
    const extended = await world.withWorker(async () => {
      await cli(...PROTECT, '--no-wait');
      return cli('extend', ID, '--for', '2 hours');
    });

    expect(extended.exitCode).toBe(1);
    expect(extended.stderr).toMatch(/holds nothing now|has ended/i);
  });
});
