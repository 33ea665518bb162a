import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { licencesOf } from '../../packaging/list-licences.js';

const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({})) });
const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ 'bom-ref': z.string(), type: z.string() }) }),
  components: z.array(
    z.object({
      'bom-ref': z.string(),
      group: z.string().optional(),
      name: z.string(),
      version: z.string(),
      purl: z.string(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/** As the release does it; the tool itself checks the result against the schema of CycloneDX. */
const makeSbom = () =>
  execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 2 ** 26 });

describe('the SBOM', () => {
  const text = makeSbom();
  const { metadata, components, dependencies } = sbomSchema.parse(JSON.parse(text));

  it('names exactly the packages of the licence report', () => {
    const reported = licencesOf(lock).map(({ name, version }) => `${name}@${version}`);
    const named = components.map(({ group, name, version }) =>
      group === undefined ? `${name}@${version}` : `${group}/${name}@${version}`,
    );

    expect(new Set(named)).toEqual(new Set(reported));
    expect(components).toHaveLength(reported.length);
  });

  it('says by which name a database of vulnerabilities knows each package', () => {
    expect(components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))).toEqual([]);
  });

  it('says who needs whom, so that every package is reached from the product', () => {
    const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const walk = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      for (const next of needs.get(ref) ?? []) walk(next);
    };

    walk(metadata.component['bom-ref']);

    expect(components.filter((component) => !reached.has(component['bom-ref']))).toEqual([]);
  });

  it('is the same each time', () => {
    expect(makeSbom()).toBe(text);
  });
});

describe('the SBOM of a release', () => {
  const workflow = readFileSync('.github/workflows/release.yml', 'utf8');

  it('gets the serial number without which its attestation refuses it', () => {
    const numbered = /'\.serialNumber = \$serial' sbom\.json >(?<file>\S+)/.exec(workflow)
      ?.groups?.['file'];

    expect(numbered).toBe('release/sbom.cdx.json');
    expect(workflow).toContain(`sbom-path: ${numbered ?? ''}\n`);
  });
});
