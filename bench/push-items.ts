/**
 * `npm run bench:push`: 50,000 items into a KV store by a manifest, all read back. Prints the time,
 * the requests, and what the run took of its history.
 */
import { add, contentOf, stateWithStores, STORE } from '../test/support/kv-stores.js';
import { createManifestRoot, toLines } from '../test/support/manifests.js';
import { inScenario, type Scenario } from '../test/support/scenario.js';
import { countBy } from './measure-run.js';
import { withTemporal } from './with-temporal.js';

const ITEMS = Number(process.argv[2] ?? 50_000);

async function push({ start, simulator }: Scenario): Promise<void> {
  const startedAt = Date.now();
  const run = await start('modifyKvStore', {
    storeId: STORE,
    manifest: { url: 'file:push.jsonl' },
    verify: 'all',
  });
  const { items, chunks, verified } = await run.result();
  const seconds = (Date.now() - startedAt) / 1000;
  const { historyLength, historySize } = await run.describe();
  const byKind = countBy(
    simulator.requests,
    ({ method, path }) => `${method} ${path.replace(/data\/.+/, 'data/:key')}`,
  );
  const isComplete = Object.keys(contentOf(simulator)).length === ITEMS;
  process.stdout.write(
    [
      `${items} items in ${chunks.length} chunks, ${verified.keys} read back, in ${seconds.toFixed(1)} s`,
      `the store holds ${isComplete ? 'exactly these keys' : 'OTHER KEYS'}`,
      `requests: ${simulator.requests.length}`,
      ...[...byKind].map(([kind, count]) => `  ${kind}: ${count}`),
      `events: ${historyLength}, bytes of history: ${historySize ?? 0}`,
      '',
    ].join('\n'),
  );
}

const items = Array.from({ length: ITEMS }, (_, index) =>
  add(`user/${index}`, `value of ${index}`.padEnd(200, '.')),
);
const manifestRoot = createManifestRoot({ 'push.jsonl': toLines(items) });
await withTemporal({}, () =>
  inScenario({ manifestRoot, state: stateWithStores(), replays: false, timeoutMs: 15_000 }, push),
);
