import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { z } from 'zod';

import { pathOfPage } from '../../../src/gateway/pages/page-actions.js';
import { openBrowser, signIn, withPages, type PageWorld } from './browser.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { manyVideos, video } from '../../support/worlds/videos.js';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
});

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1440, height: 900 };

/** Each width and each scheme once: no colour depends on the width. */
const LOOKS: { name: string; options: BrowserContextOptions }[] = [
  { name: 'phone at night', options: { viewport: PHONE, colorScheme: 'dark' } },
  { name: 'desktop', options: { viewport: DESKTOP, colorScheme: 'light' } },
];

const reportSchema = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

/** What a screen reader, a keyboard or weak eyes would stumble over, and what is wider than the screen. */
async function faultsOf(page: Page): Promise<string[]> {
  // By the debugger, because the policy of the page lets in no foreign script.
  await page.evaluate(axe.source);
  const { violations } = reportSchema.parse(await page.evaluate('axe.run()'));
  const isWide = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ...(isWide === true ? ['is wider than the screen'] : []),
  ];
}

/** Runs whose pages have what a blocked one has not: a result, a table, a protection. */
async function otherRuns({ start }: Scenario): Promise<string[]> {
  const videos = [...manyVideos(2), video('bad', 'broken')];
  const failed = await start('importVideos', { videos });
  const done = await start('provisionInstance', provisionInput());
  const held = await start('protectIp', protectInput({ holdFor: '2 hours' }));
  const batch = await start('runBatch', {
    operation: 'provisionInstance',
    items: ['web-2', 'web-3', 'web-4'].map((name) => ({ instance: { name } })),
    defaults: provisionInput({ flavor: 'g9-unknown' }),
  });
  const ended = [failed, batch].map((run) => run.result().catch((error: unknown) => error));
  await Promise.all([...ended, done.result()]);
  return [failed, done, held, batch].map(({ workflowId }) => workflowId);
}

/** A run that waits for a person, which has something to say of everything. */
async function blockedRun({ start, simulator }: Scenario): Promise<string> {
  simulator.faults.add({
    match: { method: 'POST', path: /\/v2\/instances\//, times: Infinity },
    action: { kind: 'status', status: 403 },
  });
  const run = await start('provisionInstance', provisionInput());
  await untilBlocked(run, 'Unauthorized');
  return run.workflowId;
}

function pathsOf({ url }: PageWorld, workflowId: string, others: string[]): string[] {
  const run = url + pathOfPage(workflowId);
  return [
    ...[run, `${run}/abort`, `${run}/resume`],
    ...[`${url}/runs`, `${url}/runs?search=nothing&phase=failed`, `${url}/runs/no-such-run`],
    `${url}/runbooks/runs-blocked`,
    ...others.flatMap((id) => [url + pathOfPage(id), `${url + pathOfPage(id)}/retry-failed`]),
  ];
}

describe('the pages of a gateway', () => {
  it.each(LOOKS)('are usable by everybody: $name', ({ options }) =>
    inScenario({ replays: false }, async (scenario) => {
      const others = await otherRuns(scenario);
      const workflowId = await blockedRun(scenario);
      await withPages(scenario, browser, async (world) => {
        const page = await world.open(options);
        await page.goto(`${world.url}/sign-in`);
        const faults: Record<string, string[]> = { 'sign-in': await faultsOf(page) };
        await signIn(page);
        await page.getByRole('heading', { name: 'Runs' }).waitFor();
        await until('the list has the run', async () => {
          await page.goto(`${world.url}/runs`);
          return (await page.getByRole('link', { name: workflowId }).count()) > 0;
        });
        for (const path of pathsOf(world, workflowId, others)) {
          await page.goto(path);
          faults[path] = await faultsOf(page);
        }

        expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
        expect(world.complaints).toEqual([]);
        expect(Object.keys(faults)).toHaveLength(16);
      });
    }),
  );
});
