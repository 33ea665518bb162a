import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { readLines, type KvSource } from '../../../src/activities/kv/read-source.js';
import { createManifestReader } from '../../../src/activities/manifest/create-manifest-reader.js';
import { kvItemSchema } from '../../../src/contract/api/fastedge.js';
import { failureIn, inActivity } from '../../support/http/in-activity.js';
import { manyItems } from '../../support/worlds/kv-stores.js';
import { createManifestRoot, toLines } from '../../support/worlds/manifests.js';

const LINES = 12;
const limits = { maxItems: 5, maxBytes: 10_000, maxLines: 100 };
const manifest = { url: 'file:a.jsonl' };

/** All ranges of a list, of which only some lines are taken. */
async function ranges(content = toLines(manyItems(LINES)), only?: ReadonlySet<number>) {
  const reader = createManifestReader({ root: createManifestRoot({ 'a.jsonl': content }) });
  const signal = new AbortController().signal;
  const scan = await reader.scan(manifest, {
    schema: kvItemSchema,
    limits: { ...limits, only },
    signal,
  });
  const read = (source: KvSource, some?: readonly number[]) =>
    inActivity(() => readLines(reader, source, some));
  return { ranges: scan.ranges, read };
}

describe('some items of a source', () => {
  const lines = fc.uniqueArray(fc.integer({ min: 1, max: LINES }), { minLength: 1 });
  const indexes = fc.uniqueArray(fc.nat(LINES));

  it('are the same as among all of them, whatever lines are taken', async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(lines), indexes, async (taken, only) => {
        const some = [...only].sort((a, b) => a - b);
        const found = await ranges(undefined, taken === null ? undefined : new Set(taken));
        const inline: KvSource = { items: manyItems(LINES) };
        const sources = [inline, ...found.ranges.map((range) => ({ manifest, range }))];
        for (const source of sources) {
          const all = await found.read(source);
          const picked = some.flatMap((at) => all[at] ?? []);

          expect(await found.read(source, some)).toEqual(picked);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are refused when another line of them has changed since', async () => {
    const [first] = (await ranges()).ranges;
    const changed = toLines(manyItems(LINES)).replace('key-2', 'key-x');
    const { read } = await ranges(changed);

    const failure = await failureIn(() =>
      first === undefined ? Promise.resolve() : read({ manifest, range: first }, [0]),
    );

    expect(failure.message).toContain('have changed since the run began');
  });
});
