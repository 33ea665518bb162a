import { describe, expect, it } from '@jest/globals';

import {
  guardedLookup,
  type NameService,
  isPublicAddress,
} from '../../../../src/engine/activities/webhooks/post-webhook.js';

/** A name service that gives these addresses one after the other. */
function nameService(...answers: string[][]): NameService {
  return (_name, _options, callback) => {
    const addresses = answers.shift() ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

function resolved(names: NameService): Promise<unknown> {
  return new Promise((resolve) => {
    guardedLookup(names)('hooks.example.test', { all: true }, (error, addresses) => {
      resolve(error?.name ?? addresses);
    });
  });
}

describe('guardedLookup', () => {
  it('connects to the very addresses that it has checked, each time', async () => {
    const names = nameService(['8.8.8.8', '2606:4700::1111'], ['127.0.0.1']);

    const answers = [await resolved(names), await resolved(names)];

    expect(answers).toEqual([
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
      'PrivateAddressError',
    ]);
  });

  it('refuses a name when one of its addresses is private, or when it has none', async () => {
    expect(await resolved(nameService(['8.8.8.8', '10.0.0.1']))).toBe('PrivateAddressError');
    expect(await resolved(nameService([]))).toBe('PrivateAddressError');
  });
});

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('is true for %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '127.0.0.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '240.0.0.1', '192.0.2.1', '198.18.0.1'],
    ...['::', '::1', '::ffff:10.0.0.1', '::7f00:1', '64:ff9b::a00:1', '2002:a00:1::', 'fe80::1'],
    ...['fd00::1', 'fec0::1', 'ff02::1', '2001:db8::1', '4000::1', 'fe80::1%eth0', 'localhost', ''],
  ])('is false for "%s"', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
