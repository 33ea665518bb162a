import { createServer, type Server } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { pathOfPage } from '../../../src/gateway/pages/page-actions.js';
import { openBrowser, signIn, withPages, type PageWorld } from './browser.js';
import { at, gatewayOf } from '../../support/gateway/gateway-world.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';
import { until } from '../../support/timing/until.js';
import { listen } from '../../support/http/listen.js';

let browser: Browser;
let foreign: Server;
let foreignUrl: string;
let foreignPage = '';

beforeAll(async () => {
  browser = await openBrowser();
  foreign = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(foreignPage);
  });
  // By its name it is another site than the gateway, which is asked for by its number.
  foreignUrl = `http://localhost:${await listen(foreign)}`;
});

afterAll(async () => {
  await browser.close();
  foreign.close();
});

interface Attacked extends PageWorld {
  page: Page;
  /** Of the run's page. */
  path: string;
  phase: () => Promise<string>;
}

/** A signed-in reader of a run that waits. */
function whileSignedIn(test: (world: Attacked) => Promise<void>): Promise<void> {
  return inScenario({}, async (scenario) => {
    const release = holdTaskReads(scenario.simulator);
    const run = await scenario.start('provisionInstance', provisionInput());
    await withPages(scenario, browser, async (world) => {
      const page = await world.open();
      const path = world.url + pathOfPage(run.workflowId);
      await page.goto(path);
      await signIn(page);
      await page.locator('#phase').waitFor();
      const phase = async () => (await run.query(statusQuery)).phase;
      await until('the run waits', async () => (await phase()) === 'waiting');
      await test({ ...world, page, path, phase });
    });
    release();
  });
}

describe('a page of another site', () => {
  it('cannot send a form as the reader', () =>
    whileSignedIn(async ({ page, path, phase }) => {
      foreignPage = `<form method="post" action="${path}/pause"><button>win</button></form>`;
      await page.goto(foreignUrl);
      await page.getByRole('button').click();
      await page.getByRole('heading').waitFor();

      expect(['This form is not from this gateway', 'Sign in']).toContain(
        await page.getByRole('heading').textContent(),
      );
      expect(await phase()).toBe('waiting');
    }));

  it('cannot sign a reader in', () =>
    whileSignedIn(async ({ page, url }) => {
      await page.context().clearCookies();
      foreignPage = `<form method="post" action="${url}/sign-in"><input name="token" value="reader-token"><button>win</button></form>`;
      await page.goto(foreignUrl);
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'This form is not from this gateway' }).waitFor();

      expect(await page.context().cookies()).toEqual([]);
    }));

  it('cannot read, frame or script the gateway', () =>
    whileSignedIn(async ({ page, path }) => {
      foreignPage = `<iframe src="${path}"></iframe>`;
      await page.goto(foreignUrl);
      const read = `fetch(${JSON.stringify(path)}, { credentials: 'include' }).then(() => 'read', () => 'refused')`;

      expect(await page.evaluate(read)).toBe('refused');
      const [, frame] = page.frames();
      expect(await frame?.content()).not.toContain('id="run"');
    }));

  it('may link to a run: the reader is still signed in', () =>
    whileSignedIn(async ({ page, path }) => {
      foreignPage = `<a href="${path}">the run</a>`;
      await page.goto(foreignUrl);
      await page.getByRole('link').click();
      await page.locator('#phase').waitFor();

      expect(page.url()).toBe(path);
    }));
});

describe('the sign-in', () => {
  it.each([
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test',
    '/runs\\..\\..',
    'javascript:alert(1)',
    '/sign-out',
    '/runs/\u0000',
    '/runs/\r\nX-Evil: 1',
  ])('leads to no other place: %j', (to) =>
    inScenario({ replays: false }, async (scenario) => {
      const answer = await signInTo(scenario, to);

      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/runs']);
    }),
  );
});

describe('pages without tokens', () => {
  it.each([
    ['another name of this machine', { Host: 'evil.test' }, 'http://evil.test/runs'],
    ['a frame', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' }, at('/runs')],
    ['a script', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }, at('/runs')],
  ])('are not for %s', (_, headers, url) =>
    inScenario({ replays: false }, async (scenario) => {
      expect((await gatewayOf(scenario).request(url, { headers })).status).toBe(403);
    }),
  );
});

function signInTo(scenario: Scenario, to: string): Promise<Response> | Response {
  return gatewayOf(scenario).request(at('/sign-in'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: 'any', to }).toString(),
  });
}
