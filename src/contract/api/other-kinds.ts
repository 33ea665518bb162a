import { z } from 'zod';

import { apiIdSchema } from './errors.js';

const MAX_OTHER_KINDS = 5;
const MAX_OTHER_IDS = 20;
const otherIdsSchema = z.array(z.union([apiIdSchema, z.number().int().transform(String)]));

/** The first ids of kinds that no operation reads, such as `loadbalancers`. What is no list of ids is left out. */
export function othersOf(rest: Record<string, unknown>): Record<string, string[]> {
  const named = Object.entries(rest).flatMap(([kind, ids]) => {
    const parsed = otherIdsSchema.safeParse(ids);
    const isFit = parsed.success && parsed.data.length > 0 && /^\w{1,60}$/.test(kind);
    return isFit ? [[kind, parsed.data.slice(0, MAX_OTHER_IDS)] as const] : [];
  });
  return Object.fromEntries(named.slice(0, MAX_OTHER_KINDS));
}
