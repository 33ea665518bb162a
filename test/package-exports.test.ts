import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

/** The module behind each export, and a name that users import from it. */
const EXPORTS = {
  './client': 'connectGcoreWorkflows',
  './codec': 'openCodec',
  './contract': 'parseInput',
  './contract/nexus': 'gcoreWorkflowsService',
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
  it('are these modules and files', async () => {
    const names = Object.keys(await readExports());

    const files = ['./package.json', './schemas/*.json'];
    expect(names.sort()).toEqual([...Object.keys(EXPORTS), ...files].sort());
  });

  it.each(Object.entries(EXPORTS))('provide at %s the name %s', async (place, name) => {
    const built = (await readExports())[place] ?? '';
    const source = built.replace('./dist/', '../src/');

    const module: unknown = await import(source);

    expect(module).toHaveProperty(name);
  });
});
