import { describe, expect, it } from '@jest/globals';

import { programName, systemClock } from '../../src/cli/process-io.js';

const started = { folder: '/project', ownPackage: 'gcore-workflows', launcher: undefined };

describe('programName', () => {
  it.each([
    ['/project/node_modules/.bin/gcore-workflows', 'npx gcore-workflows'],
    ['/home/me/.npm/_npx/9f1c/node_modules/.bin/gcore-workflows', 'npx gcore-workflows'],
    ['/usr/local/bin/gcore-workflows', 'gcore-workflows'],
    ['/usr/local/bin/temporal-gcore', 'temporal gcore'],
    ['/project/dist/cli/main.js', 'node dist/cli/main.js'],
  ])('names the command that a person can type again: %s', (script, name) => {
    expect(programName({ ...started, script })).toBe(name);
  });

  it.each([
    ['/project', './gcore-workflows'],
    ['/project/docs', '../gcore-workflows'],
    ['/', './project/gcore-workflows'],
  ])('names the launcher of a checkout from %s', (folder, name) => {
    const launcher = '/project/gcore-workflows';
    const script = '/project/dist/cli/main.js';

    expect(programName({ ...started, folder, script, launcher })).toBe(name);
  });

  it('quotes a path that a shell would part', () => {
    const launcher = '/my project/gcore-workflows';
    const script = '/my project/dist/cli/main.js';

    expect(programName({ ...started, folder: '/', script, launcher })).toBe(
      "'./my project/gcore-workflows'",
    );
  });

  it('names the package that npx fetches again outside a project', () => {
    const script = '/home/me/.npm/_npx/9f1c/node_modules/.bin/gcore-workflows';

    expect(programName({ ...started, script, ownPackage: 'gcore-workflows-client' })).toBe(
      'npx gcore-workflows-client',
    );
  });
});

describe('systemClock', () => {
  it('resolves a wait early when it is aborted', async () => {
    const controller = new AbortController();
    const waiting = systemClock.delay(3_600_000, controller.signal);

    controller.abort();

    await expect(waiting).resolves.toBeUndefined();
  });
});
