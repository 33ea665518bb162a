import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';

import { loadCodecKeys } from '../../src/config.js';
import { faultsOf as faultsOfAll } from './config-faults.js';

const key = (): string => randomBytes(32).toString('base64');
const RING = JSON.stringify({ current: 'a', keys: { a: key() } });

const folder = mkdtempSync(join(tmpdir(), 'codec-keys-'));
const file = join(folder, 'keys.json');
writeFileSync(file, RING);
const faultsOf = (environment: Record<string, string>) =>
  faultsOfAll({ GCORE_API_KEY: 'key', ...environment });

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the keys of the payload codec', () => {
  it('come from a file, from a variable, or from nowhere', () => {
    expect(loadCodecKeys({ GCORE_CODEC_KEYS_FILE: file })).toEqual({ file });
    expect(loadCodecKeys({ GCORE_CODEC_KEYS: RING })).toEqual({ text: RING });
    expect(loadCodecKeys({ GCORE_CODEC_KEYS: '' })).toBeUndefined();
  });

  it('are refused together with the other faults, each named', () => {
    const wrong = join(folder, 'wrong.json');
    writeFileSync(wrong, '{"current": "b", "keys": {"a": "secret!"}, "more": 1}');

    const faults = faultsOf({ GCORE_CODEC_KEYS_FILE: wrong, GCORE_REQUESTS_PER_SECOND: '0' });

    expect(faults).toEqual([
      'GCORE_REQUESTS_PER_SECOND: must be above 0',
      expect.stringMatching(/^GCORE_CODEC_KEYS_FILE: keys.a: must be base64 of 32 bytes/),
      expect.stringMatching(/^GCORE_CODEC_KEYS_FILE: more: is not a known field/),
      expect.stringMatching(/^GCORE_CODEC_KEYS_FILE: current: must be the id of one of the keys/),
    ]);
  });

  it.each([
    [{ GCORE_CODEC_KEYS: RING, GCORE_CODEC_KEYS_FILE: file }, /both are set; set only one$/],
    [{ GCORE_CODEC_KEYS: 'k3y' }, /GCORE_CODEC_KEYS: is not JSON: line 1, column 1$/],
    [{ GCORE_CODEC_KEYS_FILE: join(folder, 'none') }, /cannot be read \(ENOENT\)$/],
  ])('are refused (%#)', (environment, fault) => {
    expect(faultsOf(environment)).toEqual([expect.stringMatching(fault)]);
    expect(() => loadCodecKeys(environment)).toThrow(fault);
  });
});
