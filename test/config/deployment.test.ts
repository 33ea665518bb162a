import { describe, expect, it } from '@jest/globals';

import { loadWorkerConfig } from '../../src/config.js';

const KEY = { GCORE_API_KEY: 'key' };

describe('GCORE_WORKFLOWS_DEPLOYMENT', () => {
  it('is off by default, and when it is empty', () => {
    const empty = { GCORE_WORKFLOWS_DEPLOYMENT: '' };

    expect(loadWorkerConfig(KEY).deployment).toBeUndefined();
    expect(loadWorkerConfig({ ...KEY, ...empty }).deployment).toBeUndefined();
  });

  it('names the deployment', () => {
    const environment = { GCORE_WORKFLOWS_DEPLOYMENT: 'gcore-workflows' };

    expect(loadWorkerConfig({ ...KEY, ...environment }).deployment).toEqual({
      name: 'gcore-workflows',
    });
  });

  it.each(['with.dot', 'with:colon', '__temporal', '-a', 'x'.repeat(64), 'two words'])(
    'is refused as %s, together with other faults',
    (name) => {
      const environment = { GCORE_WORKFLOWS_DEPLOYMENT: name };

      expect(() => loadWorkerConfig(environment)).toThrow(
        /GCORE_API_KEY[\s\S]*GCORE_WORKFLOWS_DEPLOYMENT/,
      );
    },
  );
});

describe('the variables of the Temporal Worker Controller', () => {
  const NAME = 'TEMPORAL_DEPLOYMENT_NAME';
  const BUILD = 'TEMPORAL_WORKER_BUILD_ID';
  const both = { [NAME]: 'apps/gcore-workflows', [BUILD]: 'v1.2-5d7f' };

  it('are the version of the worker', () => {
    const given = { name: 'apps/gcore-workflows', buildId: 'v1.2-5d7f' };

    expect(loadWorkerConfig({ ...KEY, ...both }).deployment).toEqual(given);
  });

  it.each([
    ['the name alone', { [NAME]: 'apps/a' }, `${BUILD}: is missing`],
    ['the build alone', { [BUILD]: 'v1' }, `${NAME}: is missing`],
    ['an empty build', { [NAME]: 'apps/a', [BUILD]: '' }, `${BUILD}: is missing`],
    ['a name that Temporal refuses', { ...both, [NAME]: 'apps.a' }, `${NAME}: must be`],
    ['a build with a space', { ...both, [BUILD]: 'v 1' }, `${BUILD}: must be`],
    [
      'a deployment beside them',
      { ...both, GCORE_WORKFLOWS_DEPLOYMENT: 'gcore' },
      'GCORE_WORKFLOWS_DEPLOYMENT: TEMPORAL_DEPLOYMENT_NAME',
    ],
  ])('are refused with %s', (_, environment, fault) => {
    expect(() => loadWorkerConfig({ ...KEY, ...environment })).toThrow(fault);
  });

  it('are refused with both faults named', () => {
    expect(() => loadWorkerConfig({ ...KEY, [NAME]: ':', [BUILD]: ':' })).toThrow(
      new RegExp(`${NAME}[\\s\\S]*${BUILD}`),
    );
  });
});
