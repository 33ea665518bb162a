import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { isUpToDate, keepRecord } from '../../src/worker/bundle-record.js';

/** One bundle of two sources, one of them missing, with its record. */
async function bundled() {
  const folder = await mkdtemp(join(tmpdir(), 'record-'));
  const [record, source] = [join(folder, 'record'), join(folder, 'a.js')];
  const [missing, bundle] = [join(folder, 'b.js'), join(folder, 'bundle.js')];
  await writeFile(source, 'one');
  await writeFile(bundle, 'one, bundled');
  const { ctimeMs } = await stat(source);
  const made = { setting: ['node 20'], inputs: [source, missing], outputs: [bundle] };
  await keepRecord(record, { ...made, startedAt: ctimeMs + 1 });
  return { record, source, missing, bundle, made, startedAt: ctimeMs };
}

describe('whether a bundle is made again', () => {
  it('is not, while nothing has changed', async () => {
    const { record } = await bundled();

    expect(await isUpToDate(record, ['node 20'])).toBe(true);
  });

  it.each([
    ['another source', ({ source }: Bundled) => writeFile(source, 'two')],
    ['a source that was removed', ({ source }: Bundled) => rm(source)],
    ['a file where none was found', ({ missing }: Bundled) => writeFile(missing, 'new')],
    ['another bundle', ({ bundle }: Bundled) => writeFile(bundle, 'one, bundled by hand')],
    ['a bundle that was removed', ({ bundle }: Bundled) => rm(bundle)],
    ['a record that is cut off', ({ record }: Bundled) => writeFile(record, '{"setting":')],
    ['no record', ({ record }: Bundled) => rm(record)],
  ])('is after %s', async (_what, change) => {
    const files = await bundled();

    await change(files);

    expect(await isUpToDate(files.record, ['node 20'])).toBe(false);
  });

  it('is with another version of Node, or other options', async () => {
    const { record } = await bundled();

    expect(await isUpToDate(record, ['node 22'])).toBe(false);
  });

  it('is when a source has changed while it was made', async () => {
    const { record, made, startedAt } = await bundled();

    await keepRecord(record, { ...made, startedAt });

    expect(await isUpToDate(record, ['node 20'])).toBe(false);
  });
});

type Bundled = Awaited<ReturnType<typeof bundled>>;

const RECORD = '.cache/workflow-bundle.json';
const recordSchema = z.object({
  setting: z.string(),
  inputs: z.record(z.string(), z.string().nullable()),
});

describe('the record of the built bundle', () => {
  it('names the workflows, what they import, and all code that has bundled them', async () => {
    const { inputs } = recordSchema.parse(JSON.parse(await readFile(RECORD, 'utf8')));

    const own = [
      'workflows/index',
      'engine/run/run',
      'codec/sandbox-failures',
      'worker/bundle-workflows',
      'worker/join-modules',
    ];
    const packages = ['@temporalio/workflow/lib/worker-interface', 'webpack/lib/Compiler'];
    expect(Object.keys(inputs)).toEqual(
      expect.arrayContaining([
        ...own.map((name) => resolve(`dist/${name}.js`)),
        ...packages.map((name) => resolve(`node_modules/${name}.js`)),
        expect.stringMatching(/swc\..*\.node$/),
      ]),
    );
  });

  it('names all own modules of the build but what names the variants', async () => {
    const code = await Promise.all(
      ['bundle-workflows', 'join-modules', 'without-stacks'].map((name) =>
        readFile(`src/worker/${name}.ts`, 'utf8'),
      ),
    );

    const imported = code.flatMap((text) => [...text.matchAll(/from '(\.[^']+)'/g)]);
    expect(imported.map(([, path]) => path).sort()).toEqual([
      // Part of the bundle, too.
      '../codec/sandbox-failures.js',
      ...['./join-modules.js', './without-stacks.js', './workflow-bundle.js'],
    ]);
  });

  it('holds after the build', async () => {
    const { setting } = recordSchema.parse(JSON.parse(await readFile(RECORD, 'utf8')));

    expect(await isUpToDate(RECORD, JSON.parse(setting))).toBe(true);
  });
});
