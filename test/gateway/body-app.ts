import { Hono } from 'hono';

import { createAdmission, GATEWAY_LIMITS, type Admission } from '../../src/gateway/admission.js';
import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { answerProblem, identify, type Middleware } from '../../src/gateway/middleware.js';
import { readBytes } from '../../src/gateway/read-body.js';
import { toProblem } from '../../src/gateway/to-problem.js';

/** Reads the body of every POST, and keeps its length. */
export function bodyApp(
  limit: (admission: Admission) => Middleware,
  limits = GATEWAY_LIMITS,
): { app: Hono<GatewayEnv>; bodies: number[] } {
  const app = new Hono<GatewayEnv>();
  const bodies: number[] = [];
  app.onError((error, c) => answerProblem(c, toProblem(error)));
  app.use(
    identify(() => undefined),
    limit(createAdmission(limits)),
  );
  app.post('/', async (c) => {
    bodies.push((await readBytes(c)).length);
    return c.json({});
  });
  return { app, bodies };
}
