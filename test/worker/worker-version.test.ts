import { describe, expect, it } from '@jest/globals';

import { holdBack } from '../../src/worker/held-back-patches.js';
import { readOwnVersion, versionOptions } from '../../src/worker/worker-version.js';

describe('the version of a worker', () => {
  it('is left out without a deployment', async () => {
    expect((await readOwnVersion(undefined, ['package.json'])).option).toEqual({});
    expect(versionOptions(undefined)).toEqual({});
  });

  it('is the deployment and the build, and pins runs', async () => {
    const { option, facts } = await readOwnVersion({ name: 'blue' }, ['package.json']);

    expect(option.version).toEqual({ deploymentName: 'blue', buildId: facts.build });
    expect(versionOptions(option.version).workerDeploymentOptions).toMatchObject({
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    });
  });

  it('has the build that was given to the worker', async () => {
    const { option } = await readOwnVersion({ name: 'apps/blue', buildId: 'v1' }, ['package.json']);

    expect(option.version).toEqual({ deploymentName: 'apps/blue', buildId: 'v1' });
  });

  it('is refused before a build, and the refusal says what to do', async () => {
    await expect(readOwnVersion({ name: 'blue' }, ['no/such/bundle.js'])).rejects.toThrow(
      'npm run build',
    );
  });
});

describe('a held-back patch', () => {
  it('is not used, and others are', () => {
    const { patchActivationCallback: isActive } = holdBack(['new']);
    expect([isActive?.({ patchId: 'new' }), isActive?.({ patchId: 'old' })]).toEqual([false, true]);
  });

  it('costs nothing when there is none', () => {
    expect(holdBack([])).toEqual({});
  });
});
