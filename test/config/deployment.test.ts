import { describe, expect, it } from '@jest/globals';

import { loadDeployment, loadWorkerConfig } from '../../src/config.js';

describe('GCORE_WORKFLOWS_DEPLOYMENT', () => {
  it('is off by default, and when it is empty', () => {
    expect(loadDeployment({})).toBeUndefined();
    expect(loadDeployment({ GCORE_WORKFLOWS_DEPLOYMENT: '' })).toBeUndefined();
  });

  it('names the deployment', () => {
    const environment = { GCORE_API_KEY: 'key', GCORE_WORKFLOWS_DEPLOYMENT: 'gcore-workflows' };

    expect(loadWorkerConfig(environment).deployment).toBe('gcore-workflows');
  });

  it.each(['with.dot', 'with:colon', '__temporal', '-a', 'x'.repeat(64), 'two words'])(
    'is refused as %s, together with other faults',
    (name) => {
      const environment = { GCORE_WORKFLOWS_DEPLOYMENT: name };

      expect(() => loadDeployment(environment)).toThrow('GCORE_WORKFLOWS_DEPLOYMENT');
      expect(() => loadWorkerConfig(environment)).toThrow(
        /GCORE_API_KEY[\s\S]*GCORE_WORKFLOWS_DEPLOYMENT/,
      );
    },
  );
});
