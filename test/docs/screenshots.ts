/**
 * `npm run docs:screenshots`: the page of a blocked run on a phone and on a desktop, by day and by night, for docs/page.md.
 * Needs Chromium.
 */
import { pathOfPage } from '../../src/gateway/pages/page-actions.js';
import { openBrowser, signIn, withPages } from '../gateway/pages/browser.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { inScenario } from '../support/runs/scenario.js';
import { withTemporal } from '../../bench/worlds.js';

const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;
const SCHEMES = ['light', 'dark'] as const;

await withTemporal({}, () =>
  inScenario({ replays: false }, async (scenario) => {
    const { start, simulator } = scenario;
    simulator.faults.add({
      match: { method: 'POST', path: /\/v2\/instances\//, times: Infinity },
      action: { kind: 'status', status: 403 },
    });
    const id = 'provision-instance/default/order-4711';
    await untilBlocked(await start('provisionInstance', provisionInput(), id), 'Unauthorized');
    const browser = await openBrowser();
    await withPages(scenario, browser, async ({ url, open }) => {
      for (const [name, viewport] of Object.entries(SIZES)) {
        for (const colorScheme of SCHEMES) {
          const page = await open({ viewport, colorScheme });
          await page.goto(url + pathOfPage(id));
          await signIn(page);
          await page.locator('#phase').waitFor();
          const path = `docs/images/run-${name}-${colorScheme}.png`;
          await page.screenshot({ path, fullPage: true });
          process.stdout.write(`${path}\n`);
        }
      }
    });
    await browser.close();
  }),
);
