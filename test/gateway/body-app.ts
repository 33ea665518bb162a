import { Hono } from 'hono';

import { admit, createAdmission, GATEWAY_LIMITS, paceBodies } from '../../src/gateway/admission.js';
import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { answerProblem, identify } from '../../src/gateway/middleware.js';
import { PACE, readBytes } from '../../src/gateway/read-body.js';
import { toProblem } from '../../src/gateway/to-problem.js';

/** Reads the body of every POST, and keeps its length. */
export function bodyApp({
  pace = PACE,
  limits = GATEWAY_LIMITS,
  onRefused = (): void => undefined,
} = {}): { app: Hono<GatewayEnv>; bodies: number[] } {
  const app = new Hono<GatewayEnv>();
  const bodies: number[] = [];
  app.onError((error, c) => {
    onRefused();
    return answerProblem(c, toProblem(error));
  });
  app.use(
    identify(() => undefined),
    paceBodies(pace),
    admit(createAdmission(limits)),
  );
  app.post('/', async (c) => {
    bodies.push((await readBytes(c)).length);
    return c.json({});
  });
  return { app, bodies };
}
