import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { licenceFaults, licencesOf } from '../../packaging/list-licences.js';

const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({})) });

describe('the licences of what the product installs', () => {
  it('ask for no more than their text beside it', () => {
    const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
    const packages = licencesOf(lock);

    expect(packages.length).toBeGreaterThan(100);
    expect(licenceFaults(packages)).toEqual([]);
  });

  it.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'BUSL-1.1', 'none', 'UNLICENSED'])(
    'must not be %s',
    (licence) => {
      expect(licenceFaults([{ name: 'a', version: '1.0.0', licence }])).toEqual([
        `a@1.0.0: ${licence}`,
      ]);
    },
  );

  it.each(['(MIT OR GPL-3.0-only)', 'Apache-2.0 AND MIT', 'ISC'])('may be %s', (licence) => {
    expect(licenceFaults([{ name: 'a', version: '1.0.0', licence }])).toEqual([]);
  });

  it('are not asked of packages that only build and test', () => {
    const packages = {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0', license: 'GPL-3.0-only', dev: true },
      'node_modules/b/node_modules/@x/y': { version: '2.0.0', license: 'MIT' },
    };

    expect(licencesOf({ packages })).toEqual([{ name: '@x/y', version: '2.0.0', licence: 'MIT' }]);
  });
});
