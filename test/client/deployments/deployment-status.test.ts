import { describe, expect, it } from '@jest/globals';

import {
  troublesOf,
  versionBefore,
  type DeploymentStatus,
  type DeploymentVersion,
} from '../../../src/client/deployments/deployment-status.js';

const version = (build: string, rest: Partial<DeploymentVersion> = {}): DeploymentVersion => ({
  ...{ build, state: 'draining', openRuns: 0, workers: 1 },
  ...rest,
});

const status = (rest: Partial<DeploymentStatus>): DeploymentStatus => ({
  ...{ deployment: 'blue', versions: [], troubles: [] },
  unversioned: { workers: 0, openRuns: 0 },
  ...rest,
});

const textsOf = (rest: Partial<DeploymentStatus>) =>
  troublesOf(status(rest)).map(({ text }) => text);

describe('what stands still in a deployment', () => {
  it('is nothing when all versions with runs have workers', () => {
    const versions = [version('b', { state: 'current' }), version('a', { openRuns: 3 })];

    expect(textsOf({ current: 'b', versions })).toEqual([]);
  });

  it('is nothing when a version has neither runs nor workers', () => {
    const versions = [version('b', { state: 'current' }), version('a', { workers: 0 })];

    expect(textsOf({ current: 'b', versions })).toEqual([]);
  });

  it('is every start while no version is current and all workers have one', () => {
    const versions = [version('a', { state: 'inactive' })];

    const [trouble] = troublesOf(status({ versions }));

    expect(trouble?.text).toContain('new runs wait');
    expect(trouble?.advice).toBe('gcore-workflows deploy promote a');
  });

  it('is no start while workers without a version are there', () => {
    const versions = [version('a', { state: 'inactive' })];
    const unversioned = { workers: 1, openRuns: 2 };

    expect(textsOf({ versions, unversioned })).toEqual([]);
  });

  it('is a worker without a version once a version is current', () => {
    const versions = [version('a', { state: 'current' })];
    const unversioned = { workers: 2, openRuns: 0 };

    expect(textsOf({ current: 'a', versions, unversioned })).toEqual([
      expect.stringContaining('2 workers without a version'),
    ]);
  });

  it('is a version with open runs whose workers were stopped too early', () => {
    const versions = [
      version('b', { state: 'current' }),
      version('a', { openRuns: 3, workers: 0 }),
    ];

    expect(textsOf({ current: 'b', versions })).toEqual([
      expect.stringContaining('no worker has the version a (draining): 3 open runs wait'),
    ]);
  });

  it('is a current version without workers, also before its first run', () => {
    const versions = [version('b', { state: 'current', workers: 0 })];

    expect(textsOf({ current: 'b', versions })).toEqual([expect.stringContaining('new runs wait')]);
  });
});

describe('the version to go back to', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));

  it('is the one that was current last', () => {
    const versions = [
      version('c', { lastCurrentAt: at(3) }),
      version('a', { lastCurrentAt: at(1) }),
      version('b', { lastCurrentAt: at(2) }),
      version('never'),
    ];

    expect(versionBefore(status({ current: 'c', versions }))?.build).toBe('b');
  });

  it('is none when no other one was ever current', () => {
    const versions = [version('c', { lastCurrentAt: at(3) }), version('never')];

    expect(versionBefore(status({ current: 'c', versions }))).toBeUndefined();
  });
});
