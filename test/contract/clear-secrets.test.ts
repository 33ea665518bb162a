import { describe, expect, it } from '@jest/globals';

import { withoutClearSecrets } from '../../src/contract/clear-secrets.js';
import { Operation } from '../../src/contract/wire/names.js';
import { leastCpuMs } from '../support/timing/least-cpu-ms.js';

const masked = (value: string) => ({ encoding: 'masked', value });

describe('an input without its secrets', () => {
  it('has everything else, in its place', () => {
    const instance = { name: 'web', password: 'canary', user_data: 'canary' };
    const payload = [masked('canary'), { encoding: 'text', value: 'a' }];

    expect(withoutClearSecrets(Operation.provisionInstance, { regionId: 1, instance })).toEqual({
      regionId: 1,
      instance: { name: 'web' },
    });
    expect(
      withoutClearSecrets(Operation.modifyKvStore, {
        items: [{ key: 'a', payload }, { key: 'b', payload: masked('canary') }, { key: 'c' }],
      }),
    ).toEqual({
      items: [
        { key: 'a', payload: [{ encoding: 'masked' }, { encoding: 'text', value: 'a' }] },
        { key: 'b', payload: { encoding: 'masked' } },
        { key: 'c' },
      ],
    });
  });

  it('is made at the price of its bytes, however many it has', async () => {
    const payload = Array.from({ length: 12_000 }, () => masked('canary'));
    const said = () =>
      withoutClearSecrets(Operation.modifyKvStore, { items: [{ key: 'a', payload }] });

    expect(JSON.stringify(said())).not.toContain('canary');
    expect(await leastCpuMs(500, said)).toBeLessThan(500);
  });
});
