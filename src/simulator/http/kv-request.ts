import type { Context } from 'hono';
import type { z } from 'zod';

import { formatFaults } from '../../engine/core/faults.js';
import type { KvStoreEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { badRequestError, notFoundError } from './cloud-error.js';
import { parsePart, readJson } from './request-body.js';
import type { SimulatorEnv } from './simulator-env.js';

/** The FastEdge area answers a wrong body with a text alone. */
export async function parseKvBody<T>(
  world: World,
  c: Context<SimulatorEnv>,
  schema: z.ZodType<T>,
): Promise<T> {
  const parsed = parsePart(world, schema, await readJson(c));
  if (!parsed.ok) throw badRequestError(formatFaults(parsed.faults).trim());
  return parsed.value;
}

/** The store that the path of a request names. */
export function findKvStore(world: World, c: Context<SimulatorEnv>): Readonly<KvStoreEntity> {
  const store = world.kvStores.get(c.req.param('id') ?? '');
  if (store === undefined) throw notFoundError('no such store');
  return store;
}
