import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import type { CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured, type Captured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const cli = openCli('all', (opened) => {
  world = opened;
});

function schedule(...args: string[]): Promise<Captured> {
  return cli('schedule', ...args);
}

/** Makes a schedule that reads SSH keys. */
function make(id: string, ...options: string[]): Promise<Captured> {
  return makeOf({}, id, ...options);
}

function makeOf(input: object, id: string, ...options: string[]): Promise<Captured> {
  const file = join(world.folder, 'keys.json');
  writeFileSync(file, JSON.stringify(input));
  return schedule('create', id, 'list-ssh-keys', file, ...options);
}

describe('schedule', () => {
  it('is created once, triggered, shown with the end of its run, and deleted', async () => {
    const options = ['--at', '2:30', '--zone', 'Europe/Berlin', '--overlap', 'wait'];
    const created = await make('nightly', ...options);
    const again = await make('nightly', ...options);
    const other = await make('nightly', '--every', '6h');
    const { triggered, watched } = await world.withWorker(async () => {
      const run = await schedule('trigger', 'nightly');
      return {
        triggered: run,
        watched: await runCaptured(['watch', run.stdout.trim(), ...world.server]),
      };
    });
    const shown = await schedule('show', 'nightly');
    const asJson = await schedule('show', 'nightly', '-o', 'json');
    const deleted = await schedule('delete', 'nightly');
    const gone = await schedule('show', 'nightly');

    expect(created).toMatchObject({ exitCode: 0, stdout: 'nightly\n' });
    expect(created.stderr).toMatch(/has no 02:30: no run starts/);
    expect(created.stderr).toMatch(/has 02:30 twice: a run starts for each/);
    expect(again).toMatchObject({ exitCode: 0, stdout: 'nightly\n' });
    expect(again.stderr).toContain('exists with the same content');
    expect(other).toMatchObject({ exitCode: 6, stdout: '' });
    expect(other.stderr).toMatch(/at +differs\n +zone +differs\n +every +differs\n +overlap/);
    expect(triggered.stdout).toMatch(/^list-ssh-keys\/default\/nightly-\d{4}-.*Z\n$/);
    expect(watched.exitCode).toBe(0);
    expect(shown.stdout).toMatch(/^nightly \(listSshKeys\): every day at 02:30, Europe\/Berlin\n/);
    expect(shown.stdout).toMatch(/next +\S+Z \(.* Europe\/Berlin\)\n/);
    expect(shown.stdout).toContain('1 started, 0 missed');
    expect(shown.stdout).toMatch(
      /\nsucceeded +\S+Z +\d+ s +\S+Z +list-ssh-keys\/default\/nightly-/,
    );
    expect(JSON.parse(asJson.stdout)).toMatchObject({ overlap: 'wait', started: 1 });
    expect(deleted).toMatchObject({ exitCode: 0, stdout: 'nightly\n' });
    expect(gone.exitCode).toBe(1);
    expect(gone.stderr).toContain('gcore-workflows schedule list');
  });

  it('is paused and resumed, also as unpause', async () => {
    await make('hourly', '--every', '1h');
    const paused = await schedule('pause', 'hourly', '--reason', 'a move of the store');
    const shown = await schedule('show', 'hourly');
    const resumed = await schedule('unpause', 'hourly');
    const active = await schedule('show', 'hourly');

    expect([paused.stdout, resumed.stdout]).toEqual(['hourly\n', 'hourly\n']);
    expect(shown.stdout).toMatch(/state +paused: a move of the store \(paused by \S+\)\n/);
    expect(active.stdout).toMatch(/state +active\n/);
  });

  it('has labels, also in a namespace that has no search attribute for them', async () => {
    const input = { labels: { group: 'night' } };
    const created = await makeOf(input, 'labelled', '--every', '300 days');
    const odd = await makeOf(input, 'odd', '--cron', '0 25 * * *');
    const triggered = await schedule('trigger', 'labelled');

    expect([created.exitCode, odd.exitCode]).toEqual([0, 64]);
    expect(odd.stderr).toMatch(/cron +is refused by the Temporal server/);
    expect(triggered.stdout).toMatch(/^list-ssh-keys\/default\/labelled-/);
  });
});
