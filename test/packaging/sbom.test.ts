import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { licencesOf } from '../../packaging/list-licences.js';
import { sbomOf } from '../../packaging/write-sbom.js';

const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({})) });
const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

const ROOT = { name: 'p', version: '1.0.0', license: 'MIT', dependencies: { a: '1', b: '1' } };

describe('the SBOM', () => {
  const { components, dependencies } = sbomOf(lock);
  const refs = components.map((component) => component['bom-ref']);

  it('names exactly the packages of the licence report, each once', () => {
    const reported = new Set(licencesOf(lock).map(({ name, version }) => `${name}@${version}`));

    expect(new Set(refs)).toEqual(reported);
    expect(refs).toHaveLength(reported.size);
  });

  it('has a SHA-512 for every package', () => {
    const others = components.filter(
      ({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''),
    );

    expect(others).toEqual([]);
  });

  it('says who needs whom, so that every package is reached from the product', () => {
    const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const walk = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      for (const next of needs.get(ref) ?? []) walk(next);
    };
    const [own = ''] = [...needs.keys()].filter((ref) => !refs.includes(ref));

    walk(own);

    expect(refs.filter((ref) => !reached.has(ref))).toEqual([]);
  });

  it('takes the version that Node would load', () => {
    const packages = {
      '': ROOT,
      'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/b': { version: '1.0.0', license: 'MIT' },
      'node_modules/tool': { version: '1.0.0', license: 'MIT', dev: true },
    };

    expect(sbomOf({ packages }).dependencies).toEqual([
      { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
      { ref: 'b@1.0.0', dependsOn: [] },
      { ref: 'b@2.0.0', dependsOn: [] },
      { ref: 'p@1.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0'] },
    ]);
  });
});
