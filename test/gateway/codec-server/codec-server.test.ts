import { randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';

import type { Codec } from '../../../src/codec/codec.js';
import { openCodec } from '../../../src/codec/open-codec.js';
import type { CodecServerOptions } from '../../../src/gateway/codec-server/create-codec-server.js';
import { parsePayloads } from '../../../src/gateway/codec-server/payload-json.js';
import type { AuditEntry } from '../../../src/gateway/gateway-context.js';
import type { AnswerLog } from '../../../src/gateway/middleware.js';
import {
  codecBearer as bearer,
  codecCookieOf,
  codecServerOf,
  openTestCodec,
  UI,
} from './codec-world.js';
import { at, post } from '../../support/gateway/gateway-world.js';
import { leastCpuMs } from '../../support/timing/least-cpu-ms.js';

let codec: Codec;
beforeAll(async () => {
  codec = await openTestCodec();
});

const serverOf = (options: Partial<CodecServerOptions> = {}) => codecServerOf(codec, options);
const base64 = (bytes: Uint8Array | null | undefined) =>
  Buffer.from(bytes ?? []).toString('base64');

/** As protobuf's JSON has it. */
function bodyOf(payloads: readonly Payload[]) {
  return {
    payloads: payloads.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]),
      ),
      data: base64(data),
    })),
  };
}

const PLAIN = bodyOf([
  defaultPayloadConverter.toPayload({ password: 'canary-1' }),
  defaultPayloadConverter.toPayload(undefined),
]);

const SHOP = { 'X-Namespace': 'shop' };

describe('the codec server', () => {
  it('encrypts and decrypts payloads, and lets pass what is not encrypted', async () => {
    const app = serverOf();
    const encoded = await app.request(at('/encode'), post(PLAIN, { ...bearer(), ...SHOP }));
    const text = await encoded.text();
    const decoded = await app.request(at('/decode'), post(text, bearer()));

    expect(Buffer.from(text, 'base64').toString('latin1') + text).not.toContain('canary-1');
    expect(await decoded.json()).toEqual(PLAIN);
    const again = await app.request(at('/decode'), post(PLAIN, bearer()));
    expect(await again.json()).toEqual(PLAIN);
  });

  it('encrypts for any run of the namespace that is named, and for nobody else', async () => {
    const app = serverOf();
    const encoded = await app.request(at('/encode'), post(PLAIN, { ...bearer(), ...SHOP }));
    const payloads = parsePayloads(Buffer.from(await encoded.arrayBuffer()));
    const read = (namespace: string) => codec.decode(payloads, { namespace, workflowId: 'order' });

    expect(bodyOf(await read('shop'))).toEqual(PLAIN);
    await expect(read('other')).rejects.toThrow('was not written for "order"');
    const nobody = await app.request(at('/encode'), post(PLAIN, bearer()));
    expect([nobody.status, await nobody.text()]).toEqual([
      400,
      expect.stringContaining('X-Namesp'),
    ]);
  });

  it('opens to a token with its scope only, and to the cookie only from the UI', async () => {
    const log: AnswerLog[] = [];
    const app = serverOf({ log: (answer) => log.push(answer) });
    const [own, other, old] = [
      await codecCookieOf(codec, 'reader'),
      await codecCookieOf(codec, 'other'),
      await codecCookieOf(codec, 'old'),
    ];
    const answers: [number, Record<string, string>][] = [
      [401, {}],
      [401, bearer('unknown-token')],
      [401, bearer('old-token')],
      [403, bearer('other-token')],
      [200, bearer()],
      [200, { ...own, Origin: UI }],
      // The UI may send the token of its own sign-in.
      [200, { ...own, Origin: UI, ...bearer('token-of-the-ui') }],
      [401, own],
      [401, { ...own, Origin: 'https://evil.example.test' }],
      [401, { ...own, Origin: `${UI}.evil.test` }],
      [401, { ...old, Origin: UI }],
      [403, { ...other, Origin: UI }],
      // A stolen cookie is no token, and the token is no cookie.
      [401, bearer(own.Cookie.split('=')[1])],
      [401, { Cookie: 'gcore-workflows-codec=codec-token', Origin: UI }],
    ];

    for (const [status, headers] of answers) {
      for (const path of ['/decode', '/encode']) {
        const answer = await app.request(at(path), post(PLAIN, { ...headers, ...SHOP }));
        expect([headers, path, answer.status]).toEqual([headers, path, status]);
      }
    }
    expect(JSON.stringify(log)).not.toMatch(/-token|canary/);
  });

  it('says in the audit log who has decrypted, from where, and nothing of what', async () => {
    const audit: AuditEntry[] = [];
    const app = serverOf({ trustsProxy: true, audit: (entry) => audit.push(entry) });
    const headers = { ...bearer(), 'X-Forwarded-For': '203.0.113.9' };
    const encrypted = { payloads: [{ metadata: { encoding: base64(Buffer.from('binary/x')) } }] };

    await app.request(at('/decode'), post(PLAIN, headers));
    await app.request(at('/decode'), post(encrypted, headers));
    await app.request(at('/decode'), post(PLAIN));

    expect(audit).toMatchObject([
      { action: 'decode', caller: 'reader', from: '203.0.113.9', outcome: 'done' },
      { action: 'decode', caller: 'reader', from: '203.0.113.9' },
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/canary|codec-token/);
  });

  it('lets only pages of the UI read its answers, refusals included', async () => {
    const app = serverOf();
    const ask = async (method: string, origin: string, path = '/decode') => {
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST', ...bearer() };
      const { headers: answered } = await app.request(at(path), { method, headers });
      return answered.get('access-control-allow-origin');
    };

    for (const method of ['OPTIONS', 'POST']) {
      expect(await ask(method, UI)).toBe(UI);
      expect(await ask(method, 'https://evil.example.test')).toBeNull();
      expect(await ask(method, 'null')).toBeNull();
    }
    const preflight = await app.request(at('/decode'), {
      method: 'OPTIONS',
      headers: { Origin: UI, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Namespace');
    const refused = await app.request(at('/decode'), post(PLAIN, { Origin: UI }));
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, UI]);
  });

  it('without tokens serves programs of this machine and pages of the UI, and no other page', async () => {
    const app = serverOf({ tokens: undefined });
    const status = async (headers: Record<string, string>, url = at('/decode')) =>
      (await app.request(url, post(PLAIN, headers))).status;

    expect(await status({})).toBe(200);
    expect(await status({ Origin: UI, 'Sec-Fetch-Site': 'cross-site' })).toBe(200);
    expect(await status({ Origin: 'https://evil.example.test' })).toBe(403);
    expect(await status({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await status({}, 'http://rebound.example.test/decode')).toBe(403);
  });

  it('names the missing key, and shows nothing that a program could take for the value', async () => {
    const other = await openCodec({
      current: 'other',
      keys: { other: randomBytes(32).toString('base64') },
    });
    const encoded = bodyOf(await other.encode([defaultPayloadConverter.toPayload('canary-1')]));

    const both = { payloads: [...PLAIN.payloads, ...encoded.payloads] };
    const answer = await serverOf().request(at('/decode'), post(both, bearer()));

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'DecryptionFailed',
      detail: expect.stringContaining('"other"'),
    });
  });

  it.each([
    ['text', '', 400],
    ['no payloads', {}, 400],
    ['a payload that is no object', { payloads: [1] }, 400],
    ['data that is no base64', { payloads: [{ data: '%' }] }, 400],
    ['more payloads than any page has', { payloads: Array(5_001).fill({}) }, 400],
    ['17 MiB', 'x'.repeat(17 * 1024 * 1024), 413],
  ])('refuses %s', async (_, body, status) => {
    const answer = await serverOf().request(at('/decode'), post(body, bearer()));

    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  it.each([
    ['empty payloads', `{"payloads":[${Array(5_000_000).fill('{}').join(',')}]}`],
    [
      'fields of metadata',
      `{"payloads":[{"metadata":{${Array.from({ length: 1_000_000 }, (__, at) => `"k${at}":""`).join(',')}}}]}`,
    ],
  ])('counts millions of %s, and parses none of them', async (_, body) => {
    const headers = { 'Content-Type': 'application/json', ...bearer() };
    const decode = () => serverOf().request(at('/decode'), { method: 'POST', body, headers });

    expect(await leastCpuMs(1_000, decode)).toBeLessThan(1_000);
    const answer = await decode();
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { faults: [{ pointer: '', message: expect.stringContaining('values') }] },
    ]);
  });

  it('limits the requests of a token', async () => {
    const app = serverOf({ requestsPerSecond: 2 });
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await app.request(at('/decode'), post(PLAIN, bearer()))).status),
    );

    expect(statuses.sort()).toEqual([200, 200, 429]);
  });
});
