/**
 * `npm run bench:webhooks [-- --runs 40 --minutes 10]`: a receiver is down for this time and flaps then. Fails unless
 * it gets every event of every run, in order, and each repeat under the same id.
 */
import { parseArgs } from 'node:util';

import { measureWebhooks } from './measure-webhooks.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '10' },
  },
});
const runs = Number(values.runs);

await withTemporal({}, async () => {
  const downMs = Number(values.minutes) * 60_000;
  const figures = await measureWebhooks({ runs, downMs, refused: 0.3, lost: 0.3 });
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name}: ${value}\n`);
  const { events, delivered, wrong, inOrder } = figures;
  if (delivered !== events || wrong > 0 || inOrder !== runs) {
    process.stdout.write('FAILED: lost, doubled or out of order\n');
    process.exitCode = 1;
  }
});
process.exit();
