import { afterAll, describe, expect, it } from '@jest/globals';

import { mostPerMarker } from '../support/marked.js';
import { provisionInput } from '../support/provision-input.js';
import { closeScenarios, inScenario } from '../support/scenario.js';
import { until } from '../support/until.js';

afterAll(closeScenarios);

describe('a run that is terminated right after its call left, and started again at once', () => {
  it('waits for what may still be on its way, and makes nothing twice', async () => {
    const most = mostPerMarker();
    const held: (() => void)[] = [];
    let looks = 0;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const request = new Request(url, init);
      if (request.method === 'GET') looks += 1;
      // The first create is held up on its way, until the second run has looked and found nothing.
      if (request.method === 'POST' && held.length === 0) {
        await new Promise<void>((resolve) => held.push(resolve));
      }
      return globalThis.fetch(request);
    };
    const settings = { calls: { fetch }, onChange: most.see, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, simulator }) => {
      const first = await start('provisionInstance', provisionInput(), 'terminated');
      await until('its call has left', () => held.length === 1);
      await first.terminate('by an operator');
      const before = looks;
      const second = await start('provisionInstance', provisionInput(), 'terminated');
      await until('the second run has looked', () => looks > before);
      held[0]?.();

      const { instanceId } = await second.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(most.most()).toBe(1);
    });
  });
});
