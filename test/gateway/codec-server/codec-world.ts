import { randomBytes } from 'node:crypto';

import type { Codec } from '../../../src/codec/codec.js';
import { openCodec } from '../../../src/codec/open-codec.js';
import {
  createCodecServer,
  type CodecServerOptions,
} from '../../../src/gateway/codec-server/create-codec-server.js';
import { at, tokensOf } from '../../support/gateway/gateway-world.js';

/** Where the Temporal UI is. */
export const UI = 'https://temporal.example.test';

const CALLERS: Parameters<typeof tokensOf>[0] = {
  'codec-token': { name: 'reader', scopes: ['codec'] },
  'other-token': { name: 'other', scopes: ['read', 'run', 'operate', 'hint'] },
  'old-token': { name: 'old', scopes: ['codec'], expiresAt: Date.now() },
};

export function openTestCodec(): Promise<Codec> {
  return openCodec({ current: 'k', keys: { k: randomBytes(32).toString('base64') } });
}

/** A codec server that knows three tokens: `codec-token`, `other-token` and `old-token`. */
export function codecServerOf(codec: Codec, options: Partial<CodecServerOptions> = {}) {
  return createCodecServer({ codec, tokens: tokensOf(CALLERS), uiOrigins: [UI], ...options });
}

export function codecBearer(token = 'codec-token') {
  return { Authorization: `Bearer ${token}` };
}

/** Sends the form of the sign-in page. */
export function signInAt(
  app: ReturnType<typeof codecServerOf>,
  token: string,
  headers: Record<string, string> = {},
) {
  return app.request(at('/sign-in'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
}

/** The cookie of a token that opened everything when its owner signed in. */
export async function codecCookieOf(codec: Codec, name: 'reader' | 'other' | 'old') {
  const [token = ''] = Object.entries(CALLERS).flatMap(([text, caller]) =>
    caller.name === name ? [text] : [],
  );
  const tokens = tokensOf({ [token]: { name, scopes: ['codec'] } });
  const { headers } = await signInAt(codecServerOf(codec, { tokens }), token);
  return { Cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
}
