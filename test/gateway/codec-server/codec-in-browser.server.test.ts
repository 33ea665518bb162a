import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { openCodec } from '../../../src/codec/open-codec.js';
import { createCodecServer } from '../../../src/gateway/codec-server/create-codec-server.js';
import { serveGateway, type GatewayServer } from '../../../src/gateway/serve-gateway.js';
import { openBrowser, signIn } from '../pages/browser.js';
import { tokensOf } from '../../support/gateway/gateway-world.js';
import { listen } from '../../support/http/listen.js';

let browser: Browser;
let pages: Server;
let server: GatewayServer;
/** Two pages: one of the UI, of the site of the codec server, and the same page under another name. */
let ui = '';
let foreign = '';

beforeAll(async () => {
  browser = await openBrowser();
  pages = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>UI</title>');
  });
  const port = await listen(pages);
  ui = `http://127.0.0.1:${port}`;
  foreign = `http://localhost:${port}`;
  const app = createCodecServer({
    codec: await openCodec({ current: 'k', keys: { k: randomBytes(32).toString('base64') } }),
    tokens: tokensOf({ 'codec-token': { name: 'reader', scopes: ['codec'] } }),
    uiOrigins: [ui],
  });
  server = await serveGateway(app, { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await browser.close();
  pages.close();
  await server.close();
});

/** What a page learns when it asks as the Temporal UI does. */
async function ask(page: Page, origin: string): Promise<unknown> {
  await page.goto(origin);
  return page.evaluate(async (url: string) => {
    const headers = { 'Content-Type': 'application/json', 'X-Namespace': 'default' };
    const init = { method: 'POST', headers, credentials: 'include' as const };
    try {
      const answer = await fetch(url, { ...init, body: '{"payloads": []}' });
      return [answer.status, await answer.json()];
    } catch {
      return 'cannot read the answer';
    }
  }, `${server.url}/decode`);
}

describe('a browser with the Temporal UI', () => {
  it('decrypts after the sign-in, and no page of another site does', async () => {
    const page = await browser.newPage();
    expect(await ask(page, ui)).toMatchObject([401, { code: 'Unauthorized' }]);

    await page.goto(`${server.url}/sign-in`);
    await signIn(page, 'codec-token');
    await page.getByText('You are signed in').waitFor();

    expect(await ask(page, ui)).toEqual([200, { payloads: [] }]);
    expect(await ask(page, foreign)).toBe('cannot read the answer');

    await page.goto(`${server.url}/sign-in`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await ask(page, ui)).toMatchObject([401, { code: 'Unauthorized' }]);
  });
});
