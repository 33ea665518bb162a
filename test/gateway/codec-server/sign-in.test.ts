import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Codec } from '../../../src/codec/codec.js';
import type { CodecServerOptions } from '../../../src/gateway/codec-server/create-codec-server.js';
import { codecServerOf, openTestCodec, signInAt } from './codec-world.js';
import { at } from '../../support/gateway/gateway-world.js';

describe('the sign-in of the codec server', () => {
  let codec: Codec;
  beforeAll(async () => {
    codec = await openTestCodec();
  });
  const serverOf = (options: Partial<CodecServerOptions> = {}) => codecServerOf(codec, options);
  const signIn = (token: string, headers: Record<string, string> = {}) =>
    signInAt(serverOf(), token, headers);

  it('gives a strict cookie that no script sees, of its own name', async () => {
    const app = serverOf({ publicOrigin: 'https://codec.example.test' });
    const { status, headers } = await signInAt(app, 'codec-token');

    expect(status).toBe(303);
    const set = headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^__Host-gcore-workflows-codec=reader\.\d+\.[\w-]{22}\.[\w-]{43}; /);
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/']) {
      expect(set).toContain(attribute);
    }
  });

  it.each(['other-token', 'old-token', 'unknown-token'])('refuses %s', async (token) => {
    const answer = await signIn(token);

    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await answer.text()).toContain('It needs the scope &quot;codec&quot;');
  });

  it('reads no more of a form than it can have', async () => {
    expect((await signIn('x'.repeat(7_000))).status).toBe(401);
    expect((await signIn('x'.repeat(9_000))).status).toBe(413);
  });

  it('takes ten wrong tokens of an address in a minute, and right ones of all others', async () => {
    const app = serverOf({ trustsProxy: true });
    const from = (address: string, token: string) =>
      // What the caller has sent stands before what the proxy adds.
      signInAt(app, token, { 'X-Forwarded-For': `192.0.2.${Math.random()}, ${address}` });
    const guesses = await Promise.all(
      Array.from({ length: 10 }, async () => (await from('203.0.113.7', 'a-guess')).status),
    );

    const refused = await from('203.0.113.7', 'codec-token');

    expect(guesses).toEqual(Array(10).fill(401));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^[1-6]?\d$/),
    ]);
    expect((await from('203.0.113.8', 'codec-token')).status).toBe(303);
  });

  it('is there for everybody, however many look at it', async () => {
    const app = serverOf({ requestsPerSecond: 1 });
    const looks = Array.from(
      { length: 300 },
      async () => (await app.request(at('/sign-in'))).status,
    );

    const statuses = await Promise.all(looks);

    expect(new Set(statuses.slice(0, 32))).toEqual(new Set([200]));
    expect((await signInAt(app, 'codec-token')).status).toBe(303);
  });

  it('takes no form of another site', async () => {
    const answer = await signIn('codec-token', { 'Sec-Fetch-Site': 'cross-site' });

    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  });
});
