/**
 * `npm run bench:four-surfaces [-- --requests 100]`: each request is sent at once by the client, by HTTP, by the
 * command line and by a plain Temporal client. Fails unless each request has exactly one run and one instance.
 */
import { parseArgs } from 'node:util';

import { createCliWorld } from '../test/support/cli/cli-world.js';
import { measureSurfaces } from './measure-surfaces.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '100' } } });
const requests = Number(values.requests);

await withTemporal({}, async () => {
  const world = await createCliWorld();
  const figures = await measureSurfaces(world, requests);
  await world.close();
  const { runs, instances, starts, startedBy, refused, wrong } = figures;
  const counts = { requests, starts, startedBy, runs, instances, refused: refused.length };
  for (const [name, value] of Object.entries(counts)) {
    process.stdout.write(`${name}: ${JSON.stringify(value)}\n`);
  }
  for (const fault of refused.slice(0, 3)) process.stdout.write(`refused: ${fault}\n`);
  const isSound = runs === requests && instances === requests;
  if (!isSound || refused.length > 0 || wrong.length > 0) {
    process.stdout.write('FAILED: not exactly one run and one instance for each request\n');
    process.exitCode = 1;
  }
});
process.exit();
