import { describe, expect, it } from '@jest/globals';

import { inObservedWorld } from '../../support/observe/observed-world.js';
import { until } from '../../support/timing/until.js';

describe('a worker', () => {
  it('is not ready while Temporal is away, but lives, and says why', () =>
    inObservedWorld(async ({ health, killTemporal, startTemporal }) => {
      const read = async (path: string) => {
        const response = await fetch(health(path));
        return { status: response.status, text: await response.text() };
      };
      await until('ready', async () => (await read('/readyz')).status === 200);

      await killTemporal();
      await until('not ready', async () => (await read('/readyz')).status === 503);
      const away = await read('/readyz?verbose');
      const live = await read('/livez');
      await startTemporal();
      await until('ready again', async () => (await read('/readyz')).status === 200);

      expect(JSON.parse(away.text)).toMatchObject({
        ok: false,
        checks: expect.arrayContaining([
          expect.objectContaining({ name: 'Temporal server', ok: false }),
        ]),
      });
      expect(live.status).toBe(200);
    }));
});
