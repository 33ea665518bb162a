import { RunNotFoundError } from '../../client/index.js';
import type { GatewayApp, GatewayParts } from '../gateway-context.js';
import { within } from '../requests/within.js';

const FRESH_MS = 5_000;
const ANSWER_WITHIN_MS = 3_000;

/** No run has this id. That the server says so proves that it answers. */
const NO_RUN = 'gateway/readyz';

export interface Readiness {
  ok: boolean;
  reason?: string;
}

/** Whether the gateway can take requests. However often it is asked, the server is asked once in some seconds. */
export function createReadiness({
  gcore,
  closing,
}: Pick<GatewayParts, 'gcore' | 'closing'>): () => Promise<Readiness> {
  let asked: { at: number; isReady: Promise<boolean> } | undefined;
  return async () => {
    if (closing.aborted) return { ok: false, reason: 'ending' };
    if (asked === undefined || performance.now() - asked.at > FRESH_MS) {
      asked = { at: performance.now(), isReady: answers(gcore) };
    }
    if (await asked.isReady) return { ok: true };
    return { ok: false, reason: 'the Temporal server does not answer' };
  };
}

/** `/livez`: the process runs. `/readyz`: it can take requests, so the Temporal server answers. */
export function addHealth(app: GatewayApp, readiness: () => Promise<Readiness>): void {
  app.get('/livez', (c) => {
    c.set('route', '/livez');
    return c.json({ ok: true });
  });
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz');
    const ready = await readiness();
    return c.json(ready, ready.ok ? 200 : 503);
  });
}

async function answers(gcore: GatewayParts['gcore']): Promise<boolean> {
  try {
    await within(ANSWER_WITHIN_MS, gcore.summary(NO_RUN));
    return true;
  } catch (error) {
    return error instanceof RunNotFoundError;
  }
}
