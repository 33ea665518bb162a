/**
 * `npm run bench:push -- [--items 50000] [--kills 10]`: writes a manifest into a KV store and reads all
 * keys back, while the only worker is killed again and again. Fails when the content of the store is
 * wrong, or when the run did not read every key back.
 */
import { parseArgs } from 'node:util';

import { pushUnderKills } from '../test/support/runs/push-under-kills.js';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '50000' },
    kills: { type: 'string', default: '10' },
  },
});

const { memory, ...figures } = await pushUnderKills({
  items: Number(values.items),
  kills: Number(values.kills),
  onProgress: (text) => process.stdout.write(`${text}\n`),
});
const shown = { ...figures, 'maximum memory in MiB': Math.max(...memory) };
for (const [name, value] of Object.entries(shown)) process.stdout.write(`${name}: ${value}\n`);

if (figures.wrong > 0 || figures.verified !== figures.keys) {
  process.stdout.write(
    'FAILED: the content of the store is wrong, or the run did not read all of it back\n',
  );
  process.exitCode = 1;
}
