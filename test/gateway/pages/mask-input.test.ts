import { describe, expect, it } from '@jest/globals';

import { maskInput } from '../../../src/gateway/pages/mask-input.js';

describe('the input on a page', () => {
  it.each<[string, unknown, unknown]>([
    [
      'a password',
      { instance: { password: 'hunter2', name: 'web-1' } },
      { instance: { password: '***', name: 'web-1' } },
    ],
    ['user data', { instance: { user_data: 'IyEvYmlu' } }, { instance: { user_data: '***' } }],
    [
      'a masked value of a KV store',
      { items: [{ key: 'k', payload: [{ encoding: 'masked', value: 'x' }, { value: 'y' }] }] },
      { items: [{ key: 'k', payload: [{ encoding: 'masked', value: '***' }, { value: 'y' }] }] },
    ],
    [
      'header lines of an origin',
      { videos: [{ origin_http_headers: 'X-Origin: letmein' }] },
      { videos: [{ origin_http_headers: '***' }] },
    ],
    [
      'what a caller or an application calls as it likes',
      { instance: { tags: { owner: 'letmein' }, configuration: { a: { b: 'letmein' } } } },
      { instance: { tags: '***', configuration: '***' } },
    ],
    [
      'the query and the credentials of a URL',
      { manifest: { url: 'https://me:pw@files.example/may.jsonl?signature=abc' } },
      { manifest: { url: 'https://***@files.example/may.jsonl?***' } },
    ],
    [
      'what stands beside a name',
      { $secret: 'web-admin', value: 'hunter2' },
      { $secret: 'web-admin' },
    ],
    ['a secret in place of a name', { password: { $secret: 'Hunter 2!' } }, { password: '***' }],
  ])('does not show %s', (_, input, shown) => {
    expect(maskInput(input)).toEqual(shown);
  });

  it('shows which secret is used, and everything else', () => {
    const input = {
      instance: { password: { $secret: 'web-admin', key: 'pw' }, flavor: 'g2', volumes: [1, null] },
      notify: [{ url: 'https://orders.example/runs', secretName: 'orders' }],
    };

    expect(maskInput(input)).toEqual(input);
  });

  it('comes to an end, however deep a client has nested it', () => {
    const depth = 100_000;
    const input: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

    expect(JSON.stringify(maskInput(input))).toContain('left out');
  });
});
