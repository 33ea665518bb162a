import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { measureSurfaces } from '../../bench/figures/surfaces.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';

let world: CliWorld;

beforeAll(async () => {
  world = await createCliWorld();
});

afterAll(async () => {
  await world.close();
});

describe('a request that comes by four ways at once', () => {
  it('has one run and one instance', async () => {
    const { startedBy, ...figures } = await measureSurfaces(world, 6);

    expect(figures).toEqual({
      requests: 6,
      starts: 24,
      refused: [],
      runs: 6,
      instances: 6,
      wrong: [],
    });
    // A run that the Temporal client started has no other starter.
    const told = Object.values(startedBy).reduce((sum, count) => sum + count, 0);
    expect(told).toBeLessThanOrEqual(6);
  });
});
