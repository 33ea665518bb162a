import { describe, expect, it } from '@jest/globals';

import {
  judgeDeployment,
  openRunsQuery,
  type VersionState,
} from '../../src/client/check-deployment.js';

const version = (build: string, rest: Partial<VersionState> = {}): VersionState => ({
  build,
  role: 'old',
  openRuns: 0,
  workers: 1,
  ...rest,
});

const judge = (versions: readonly VersionState[], unversionedWorkers = 0) =>
  judgeDeployment({ deployment: 'blue', versions, unversionedWorkers });

describe('a deployment', () => {
  it('is in order when all versions with runs have workers', () => {
    const versions = [
      version('c', { role: 'ramping' }),
      version('b', { role: 'current', workers: 2 }),
      version('a', { openRuns: 3 }),
    ];

    expect(judge(versions)).toEqual({
      state: 'ok',
      text: 'deployment blue: b is current, c is ramping; c: 1 worker, b: 2 workers, a: 1 worker',
    });
  });

  it('is in order when a version has neither runs nor workers', () => {
    const versions = [version('b', { role: 'current' }), version('a', { workers: 0 })];

    expect(judge(versions)).toEqual({
      state: 'ok',
      text: 'deployment blue: b is current; b: 1 worker',
    });
  });

  it('lets every start wait while no version is current and all workers have one', () => {
    expect(judge([version('a')])).toEqual({
      state: 'fault',
      text: expect.stringContaining('new runs wait'),
      advice: 'temporal worker deployment set-current-version --deployment-name blue --build-id a',
    });
  });

  it('lets no start wait while workers without a version are there', () => {
    expect(judge([version('a')], 1)).toMatchObject({ state: 'ok' });
  });

  it('has no use for a worker without a version once a version is current', () => {
    expect(judge([version('a', { role: 'current' })], 2)).toMatchObject({
      state: 'fault',
      text: expect.stringContaining('2 workers without a version'),
    });
  });

  it('has open runs that wait for workers that were stopped too early', () => {
    const versions = [version('b', { role: 'current' }), version('a', { openRuns: 3, workers: 0 })];

    expect(judge(versions)).toMatchObject({
      state: 'fault',
      text: expect.stringContaining('no worker has the version a (old): 3 open runs wait'),
      advice: expect.stringContaining('start workers of this version again'),
    });
  });

  it.each(['current', 'ramping'] as const)('needs workers of a %s version', (role) => {
    const versions = [version('b', { role: 'current' }), version('c', { role, workers: 0 })];

    expect(judge(versions)).toMatchObject({
      state: 'fault',
      text: expect.stringContaining(`no worker has the version c (${role}): new runs wait`),
      advice: expect.stringContaining('set-current-version --deployment-name blue'),
    });
  });
});

describe('the open runs of a version', () => {
  it.each([
    ['blue:a', '"blue:a"'],
    ['blue:it\'s "b\\c"', '"blue:it\'s \\"b\\\\c\\""'],
  ])('are counted by one value, whatever its build id contains: %s', (named, value) => {
    expect(openRunsQuery(named)).toBe(
      `TemporalWorkerDeploymentVersion = ${value} AND CloseTime IS NULL`,
    );
  });
});
