import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { pathOfPage } from '../../../src/gateway/pages/page-actions.js';
import { openBrowser, signIn, withPages, type PageWorld } from './browser.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { until } from '../../support/timing/until.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
});

interface Waiting extends PageWorld {
  scenario: Scenario;
  workflowId: string;
  /** Of the run's page. */
  path: string;
  release: () => void;
}

/** A run that waits for its task until `release`, and the pages. */
function whileWaiting(test: (world: Waiting) => Promise<void>): Promise<void> {
  return inScenario({}, async (scenario) => {
    const release = holdTaskReads(scenario.simulator);
    const { workflowId } = await scenario.start('provisionInstance', provisionInput());
    await withPages(scenario, browser, (world) =>
      test({ ...world, scenario, workflowId, release, path: world.url + pathOfPage(workflowId) }),
    );
    release();
  });
}

async function openRun({ open, path }: Waiting, token?: string): Promise<Page> {
  const page = await open();
  await page.goto(path);
  await signIn(page, token);
  return page;
}

const shows = (page: Page, phase: string) =>
  page.locator('#phase', { hasText: new RegExp(`^${phase}$`) }).waitFor();

describe('the page of a run', () => {
  it('asks who reads, shows the steps, and changes with the run without being loaded again', () =>
    whileWaiting(async (world) => {
      const page = await openRun(world);
      await shows(page, 'waiting');
      await page.evaluate('window.wasLoadedOnce = true');
      const [cookie] = await page.context().cookies();

      world.release();
      await shows(page, 'succeeded');

      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
      expect(await page.evaluate('window.wasLoadedOnce')).toBe(true);
      expect(await page.title()).toBe(`succeeded: ${world.workflowId}`);
      expect(await page.getByRole('status').textContent()).toBe('The run is now succeeded.');
      expect(await page.getByRole('listitem').allTextContents()).toEqual(
        expect.arrayContaining([expect.stringMatching(/^✓create instance: verified/)]),
      );
      expect(world.complaints).toEqual([]);
    }));

  it('pauses and resumes by the keyboard, and keeps the focus while it changes', () =>
    whileWaiting(async (world) => {
      const page = await openRun(world);
      await page.locator('#do-pause').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Nothing is undone.').waitFor();
      await page.getByRole('button', { name: 'Pause the run' }).focus();
      await page.keyboard.press('Enter');
      await shows(page, 'paused');

      await page.locator('#do-resume').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Resume the run' }).press('Enter');
      await shows(page, 'waiting');
      const [resumed, paused] = await page.locator('#asked li').allTextContents();
      expect(resumed).toMatch(/^resume by gateway:/);
      expect(paused).toMatch(/^pause by gateway:/);
      await page.locator('#copy-run').focus();
      world.release();
      await shows(page, 'succeeded');
      expect(await page.evaluate('document.activeElement.id')).toBe('copy-run');
      expect(world.complaints).toEqual([]);
    }));

  it('aborts after it has said what will be undone; the reason stays text', () =>
    whileWaiting(async (world) => {
      const page = await openRun(world);
      await page.locator('#do-abort').click();
      await page.getByText('The run undoes what it has done').waitFor();
      await page.getByLabel('Reason').fill('<img src=x onerror=document.title=1>');
      await page.getByRole('button', { name: 'Abort the run' }).click();
      world.release();
      await shows(page, 'failed');

      await page.getByText('<img src=x onerror=document.title=1>').first().waitFor();
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.title()).toBe(`failed: ${world.workflowId}`);
      expect(world.complaints).toEqual([]);
    }));

  it('works without scripts: it shows, loads itself again and operates', () =>
    whileWaiting(async (world) => {
      const page = await world.open({ javaScriptEnabled: false });
      await page.goto(world.path);
      await signIn(page);
      await shows(page, 'waiting');
      expect(await page.content()).toContain('<meta http-equiv="refresh" content="10">');

      await page.getByRole('link', { name: 'Pause …' }).click();
      await page.getByRole('button', { name: 'Pause the run' }).click();
      await shows(page, 'paused');
      await page.getByRole('link', { name: 'Cancel …' }).click();
      await page.getByRole('button', { name: 'Cancel the run' }).click();
      world.release();
      await until('the page shows the end', async () => {
        await page.reload();
        return (await page.locator('#phase').textContent()) === 'cancelled';
      });
    }));

  it('has no buttons for a token that only reads, and takes no form of it', () =>
    whileWaiting(async (world) => {
      const page = await openRun(world, 'reader-token');
      await shows(page, 'waiting');

      expect(await page.locator('.actions').count()).toBe(0);
      await page.goto(`${world.path}/abort`);
      await page.getByRole('heading', { name: 'The token does not allow this' }).waitFor();
      expect(await page.content()).not.toContain('<form method="post" action="/runs');
    }));

  it('ends with its session: the token is withdrawn, or its reader signs out', () =>
    whileWaiting(async (world) => {
      const page = await openRun(world);
      await shows(page, 'waiting');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Token').waitFor();
      expect(await page.context().cookies()).toEqual([]);

      await page.goto(world.path);
      await signIn(page);
      await shows(page, 'waiting');
      world.setTokens({ other: { name: 'other', scopes: ['read'] } });
      await page
        .getByText('Reload it to see the run')
        .or(page.getByText('sign in again'))
        .waitFor();
      await page.reload();
      await page.getByLabel('Token').waitFor();
      expect(await page.locator('#run').count()).toBe(0);
    }));

  it('shows nothing to a wrong token, a forged cookie, or a token of other operations', () =>
    whileWaiting(async (world) => {
      const page = await openRun(world, 'a-guess');
      await page.getByRole('alert').waitFor();
      await page
        .context()
        .addCookies([{ name: 'gcore-workflows', value: 'a-guess', url: world.url }]);
      await page.goto(world.path);
      await page.getByLabel('Token').waitFor();
      await signIn(page, 'foreign-token');
      await page.getByRole('heading', { name: 'There is no such run' }).waitFor();
      expect(await page.content()).not.toContain('class="phase');
    }));
});

describe('the list of runs', () => {
  it('shows a new run by itself while somebody can see it, and keeps the focus', () =>
    whileWaiting(async (world) => {
      const { scenario, url } = world;
      const page = await world.open();
      await page.goto(`${url}/runs?search=shown-`);
      await signIn(page);
      const first = await scenario.start('listSshKeys', {}, `shown-${world.workflowId}-1`);
      await page.getByRole('button', { name: 'Show' }).waitFor();
      await page.evaluate("window.wasLoadedOnce = true; list.dataset.every = '0.2'");
      await page.getByRole('link', { name: first.workflowId }).focus();
      await page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true })",
      );
      const second = await scenario.start('listSshKeys', {}, `shown-${world.workflowId}-2`);
      await until('the server lists it', async () => {
        const answer = await page.request.get(`${url}/runs?search=${second.workflowId}`);
        return (await answer.text()).includes(`>${second.workflowId}</a>`);
      });

      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      const whileHidden = [...asked];
      await page.evaluate("Object.defineProperty(document, 'hidden', { value: false })");
      await page.getByRole('link', { name: second.workflowId }).waitFor();

      expect(whileHidden).toEqual([]);
      expect(await page.evaluate('window.wasLoadedOnce')).toBe(true);
      expect(await page.evaluate('document.activeElement.textContent')).toBe(first.workflowId);
      expect(world.complaints).toEqual([]);
    }));

  it('leads to a run, and filters', () =>
    whileWaiting(async (world) => {
      const page = await world.open();
      await page.goto(`${world.url}/`);
      await signIn(page);
      await until('the list has the run', async () => {
        await page.goto(`${world.url}/runs`);
        return (await page.getByRole('link', { name: world.workflowId }).count()) > 0;
      });
      await page.getByText('Phase, operation, account').click();
      await page.getByLabel('Operation').selectOption('listSshKeys');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.waitForURL(/operation=listSshKeys/);
      expect(await page.getByRole('link', { name: world.workflowId }).count()).toBe(0);

      await page.goto(`${world.url}/runs?phase=nonsense`);
      await page.getByRole('heading', { name: 'A parameter is not valid' }).waitFor();
      for (const [quote, name] of [
        ["'", 'There is no such run'],
        ['"', 'The id in the path is not valid'],
      ] as const) {
        const id = `${quote}><img src=x onerror=alert(1)>`;
        await page.goto(`${world.url}/runs/${encodeURIComponent(id)}`);
        await page.getByRole('heading', { name }).waitFor();
        expect(await page.locator('img').count()).toBe(0);
      }
      expect(world.complaints).toEqual([]);
    }));
});
