import type { z } from '@hono/zod-openapi';

import { countFaults, firstFaults } from '../../engine/core/first-faults.js';
import { parseInput, type Fault } from '../../contract/index.js';
import { plural } from '../../engine/core/plural.js';
import { ProblemError, toParameters } from '../problems/problem.js';
import type { GatewayContext } from '../gateway-context.js';

/** The query parameters of a request. @throws ProblemError (400), also for unknown and repeated ones */
export function readQuery<T>(c: GatewayContext, schema: z.ZodType<T>): T {
  const given = c.req.queries();
  const repeated = Object.entries(given).filter(([, values]) => values.length > 1);
  const single = Object.fromEntries(Object.entries(given).map(([name, [value]]) => [name, value]));
  const parsed = parseInput(schema, single);
  const faults = firstFaults([
    ...repeated.map(([path]) => ({ path, message: 'is there twice' })),
    ...(parsed.ok ? [] : parsed.faults),
  ]);
  if (!parsed.ok || faults.length > 0) throw badParameters(faults);
  return parsed.value;
}

/** Headers or query parameters that cannot be used. */
export function badParameters(faults: readonly Fault[]): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'BadRequest',
    title: 'A parameter is not valid',
    detail: `The request has ${plural(countFaults(faults), 'fault')} outside of its body. Nothing was started or changed.`,
    advice: 'Correct the parameters and send the request again.',
    faults: toParameters(faults),
  });
}
