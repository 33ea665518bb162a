import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { runCaptured, type Captured } from '../support/cli/run-captured.js';

/**
 * Opens a world for the tests of a file: one for all, or one for each.
 *
 * @param take is given the world before the tests
 * @returns the command line, connected to the world
 */
export function openCli(
  scope: 'all' | 'each',
  take: (world: CliWorld) => void | Promise<void>,
): (...args: string[]) => Promise<Captured> {
  let world: CliWorld | undefined;
  const open = async (): Promise<void> => {
    world = await createCliWorld();
    await take(world);
  };
  const close = async (): Promise<void> => {
    await world?.close();
  };
  if (scope === 'all') {
    beforeAll(open);
    afterAll(close);
  } else {
    beforeEach(open);
    afterEach(close);
  }
  return (...args) => runCaptured([...args, ...(world?.server ?? [])]);
}
