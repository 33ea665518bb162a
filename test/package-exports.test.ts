import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

/** What somebody else's code finds at each place, and a name of it that he would use. */
const EXPORTS = {
  './client': 'connectGcoreWorkflows',
  './contract': 'parseInput',
  './workflows': 'provisionInstance',
  './workflow-interceptors': 'interceptors',
  './activities': 'createApiActivities',
  './simulator': 'createSimulator',
  './testing': 'startTemporalServer',
} as const;

const packageSchema = z.object({ exports: z.record(z.string(), z.string()) });

async function readExports(): Promise<Record<string, string>> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return packageSchema.parse(JSON.parse(text)).exports;
}

describe('the exports of the package', () => {
  it('are these, and itself', async () => {
    const names = Object.keys(await readExports());

    expect(names.sort()).toEqual([...Object.keys(EXPORTS), './package.json'].sort());
  });

  it.each(Object.entries(EXPORTS))('have at %s what %s belongs to', async (place, name) => {
    const built = (await readExports())[place] ?? '';
    const source = built.replace('./dist/', '../src/');

    const module: unknown = await import(source);

    expect(module).toHaveProperty(name);
  });
});
