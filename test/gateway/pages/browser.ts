import { existsSync } from 'node:fs';

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

import { serveGateway } from '../../../src/gateway/serve-gateway.js';
import { gatewayOf, tokensOf } from '../../support/gateway/gateway-world.js';
import type { Scenario } from '../../support/runs/scenario.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser. Debian's package `chromium` has one. */
export function openBrowser(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH'];
  const executablePath = given ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      'These tests need Chromium: apt-get install chromium, or set CHROMIUM_PATH to a browser',
    );
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Everything that a reader may do, and one that only reads. */
const TOKENS = {
  'operator-token': { name: 'night-shift', scopes: ['read', 'run', 'operate'] },
  'reader-token': { name: 'reader', scopes: ['read'] },
  'foreign-token': { name: 'keys-only', scopes: ['read'], operations: ['listSshKeys'] },
} as const;

export interface PageWorld {
  /** Of the gateway. */
  url: string;
  /** Opens a page in a session of its own. What the browser complains about is collected. */
  open: (options?: BrowserContextOptions) => Promise<Page>;
  complaints: string[];
  /** The token file from now on. */
  setTokens: (tokens: Parameters<typeof tokensOf>[0]) => void;
}

/** Serves the pages of a scenario on a port, until `use` ends. */
export async function withPages(
  scenario: Scenario,
  browser: Browser,
  use: (world: PageWorld) => Promise<void>,
): Promise<void> {
  let tokens = tokensOf(TOKENS);
  const app = gatewayOf(scenario, {
    tokens: { read: () => tokens.read() },
    temporalUrl: (workflowId) => `http://ui.test/${encodeURIComponent(workflowId)}`,
    events: { heartbeatMs: 200, longestMs: 3_600_000 },
  });
  const server = await serveGateway(app, { host: '127.0.0.1', port: 0 });
  const complaints: string[] = [];
  const pages: Page[] = [];
  try {
    await use({
      url: server.url,
      complaints,
      async open(options) {
        const context = await browser.newContext(options);
        const page = await context.newPage();
        page.setDefaultTimeout(60_000);
        pages.push(page);
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => {
          if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
        });
        return page;
      },
      setTokens(given) {
        tokens = tokensOf(given);
      },
    });
  } finally {
    for (const page of pages) await page.context().close();
    await server.close();
  }
}

/** Signs in where the page asks for it. */
export async function signIn(page: Page, token = 'operator-token'): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
