import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { z } from 'zod';

import { connectGcoreWorkflows } from '../../../src/client/index.js';
import { withNewKey } from '../../../src/codec/new-key.js';
import { freePort } from '../../../src/dev/temporal-ports.js';
import { createDevFolder, freeDevOptions, type DevFolder } from '../../support/cli/dev-process.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { scrape } from '../../support/observe/scrape.js';
import { until } from '../../support/timing/until.js';

let folder: DevFolder;

beforeEach(async () => {
  folder = await createDevFolder();
});

afterEach(() => folder.remove());

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

describe('dev', () => {
  it('goes on with its runs in the same folder, however it ended, and allows secrets in clear until a setting refuses them', async () => {
    const { options, address } = await freeDevOptions(5);
    const config = { connectionOptions: { address }, namespace: 'default' };
    const withSecret = provisionInput({ password: 'hunter2-canary' });
    /** A run that is open for longer than its dev. */
    const startRun = async (requestId: string, input: typeof withSecret): Promise<string> => {
      const gcore = await connectGcoreWorkflows({ config });
      const { workflowId } = await gcore.start('provisionInstance', { requestId, input });
      await until('its task is there', async () => {
        const { steps } = await gcore.status(workflowId);
        return steps.some(({ taskIds }) => taskIds.length > 0);
      });
      await gcore.close();
      return workflowId;
    };
    const end = async (dev: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
      dev.kill(signal);
      await once(dev, 'exit');
    };
    const first = await folder.start(options);
    const beforeKill = await startRun('a', withSecret);
    const beside = folder.start((await freeDevOptions(5)).options);
    await expect(beside).rejects.toThrow(
      `AlreadyRunning: The folder .dev is in use by another process: process ${first.pid}, Temporal at ${address}, its UI at http://127.0.0.1:`,
    );

    await end(first, 'SIGKILL');
    const second = await folder.start(options);
    const beforeStop = await startRun('b', provisionInput());
    await end(second, 'SIGINT');
    await folder.start(options, { GCORE_CLEAR_SECRETS: 'refuse' });

    const later = await connectGcoreWorkflows({ config });
    const refused = later.start('provisionInstance', { requestId: 'c', input: withSecret });
    await expect(refused).rejects.toMatchObject({ faults: [{ path: 'instance.password' }] });
    for (const workflowId of [beforeKill, beforeStop]) {
      const { status } = await later.result('provisionInstance', workflowId);
      expect([workflowId, status]).toEqual([workflowId, 'ACTIVE']);
    }
    await later.close();
  });

  it('encrypts, counts its runs from 0 and says whether it is ready, like a worker of its own', async () => {
    const { options, address } = await freeDevOptions(50);
    const [metrics, health] = [await freePort(), await freePort()];
    const keys = { text: JSON.stringify(withNewKey(undefined, Date.now()).ring) };
    await folder.start(options, {
      GCORE_CODEC_KEYS: keys.text,
      GCORE_WORKFLOWS_METRICS_PORT: String(metrics),
      GCORE_WORKFLOWS_HEALTH_PORT: String(health),
    });
    const ended = async (): Promise<number[]> => {
      const { samples } = await scrape(`http://127.0.0.1:${metrics}/metrics`);
      return samples.flatMap(({ name, labels, value }) =>
        name === 'gcore_runs_ended_total' &&
        labels['operation'] === 'provisionInstance' &&
        labels['phase'] === 'succeeded'
          ? [value]
          : [],
      );
    };
    const isReady = async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).ok;
    await until('the worker is ready', () => isReady().catch(() => false));
    const before = await ended();
    const config = { connectionOptions: { address }, namespace: 'default' };
    const gcore = await connectGcoreWorkflows({ config, codec: keys });
    const input = provisionInput();
    const { workflowId } = await gcore.start('provisionInstance', { requestId: 'm', input });
    await gcore.result('provisionInstance', workflowId);
    await gcore.close();

    expect(before).toEqual([0]);
    await until('the run is counted', async () => (await ended()).join() === '1');
  });

  it('runs on by itself with --detach, until dev stop', async () => {
    const { options, pages } = await freeDevOptions(50);
    const place = ['--folder', 'kept'];

    const started = await folder.run(['--detach', ...place, ...options]);
    const before = await answers(pages);
    const again = await folder.run(['--detach', ...place, ...options]);
    const stopped = await folder.run(['stop', ...place]);
    const after = await answers(pages);
    const nothing = await folder.run(['stop', ...place]);

    expect([started.code, started.stderr]).toEqual([0, expect.stringContaining('Ready: Temporal')]);
    expect(started.stderr).toMatch(/Stop it: .* dev stop --folder kept\. The folder kept keeps/);
    expect(started.stderr).toContain(`Manifests with "file:" are below ${folder.path}.`);
    expect([before, after]).toEqual([true, false]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('AlreadyRunning')]);
    expect([stopped.code, stopped.stderr]).toEqual([0, expect.stringMatching(/^Stopped process/)]);
    expect([nothing.code, nothing.stderr]).toEqual([0, 'Nothing uses the folder kept.\n']);
  });

  it.each([
    ['a file', 'is a file', (path: string) => writeFile(path, '')],
    ['below a file', 'is below a file', (path: string) => writeFile(dirname(path), '')],
  ])('says that its folder is %s', async (_what, reason, occupy) => {
    const { options } = await freeDevOptions(50);
    const name = reason === 'is a file' ? 'taken' : 'file/below';
    await occupy(join(folder.path, name));
    const place = ['--folder', name];

    const here = await folder.run([...place, ...options]);
    const detached = await folder.run(['--detach', ...place, ...options]);
    const stopped = await folder.run(['stop', ...place]);

    for (const { code, stderr } of [here, detached]) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(`The folder ${name} ${reason}.`)]);
    }
    expect([stopped.code, stopped.stderr]).toEqual([0, `Nothing uses the folder ${name}.\n`]);
  });

  it('says that its disk is full, where nothing can be kept', async () => {
    const { options } = await freeDevOptions(50);
    await mkdir(join(folder.path, 'full'));
    await symlink('/dev/full', join(folder.path, 'full', 'dev.log'));

    const { code, stderr } = await folder.run(['--detach', '--folder', 'full', ...options]);

    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('FolderUnusable: The folder full is on a disk that is full.'),
    ]);
  });

  it('names the option for a port that is taken', async () => {
    const { options } = await freeDevOptions(50);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());

    const temporal = await folder.run([...options, '--port', String(port)]);
    const ui = await folder.run([...options, '--ui-port', String(port)]);
    server.close();

    expect([temporal.code, ui.code]).toEqual([1, 1]);
    expect(temporal.stderr).toContain(`PortTaken: Port ${port} of 127.0.0.1 cannot be used`);
    expect(temporal.stderr).toContain('Choose another one with --port, or');
    expect(ui.stderr).toContain('Choose another one with --ui-port, or');
  });
});
