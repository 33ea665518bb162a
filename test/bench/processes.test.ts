import { describe, expect, it } from '@jest/globals';

import { cpuMsOf, residentMibOf } from '../../bench/processes.js';

const isLinux = process.platform === 'linux';

describe('the usage of a process', () => {
  it('is about what the process itself knows', () => {
    const { user, system } = process.cpuUsage();
    const own = (user + system) / 1_000;
    const seen = cpuMsOf(process.pid);
    const resident = process.memoryUsage().rss / 1024 ** 2;

    // The system counts in ticks of 10 ms for user and system each.
    expect(isLinux ? seen - own : 0).toBeGreaterThanOrEqual(-20);
    expect(isLinux ? seen - own : 0).toBeLessThan(1_000);
    expect(isLinux ? residentMibOf(process.pid) / resident : 1).toBeCloseTo(1, 0);
  });

  it('is unknown for a process that does not exist', () => {
    expect(cpuMsOf(undefined)).toBeNaN();
    expect(residentMibOf(undefined)).toBeNaN();
  });
});
