/** What the HTTP client of the engine is told of the shop. */
import { z } from 'zod';

import { FailureType } from '../../src/engine/core/failures.js';
import { GENERAL_ADVICE, type ApiDescription } from '../../src/engine/http/api-description.js';

const errorSchema = z.object({ problem: z.object({ kind: z.string(), says: z.string() }) });

export const SHOP_API: ApiDescription = {
  userAgent: 'print-shop-workflows/1',
  addressSetting: 'the address of the shop',
  authorize: (token) => ({ 'x-shop-token': token }),
  // A single service: when it is out, it is out as a whole.
  placeOf: (path) => ({
    circuit: { area: 'shop' },
    collection: 'orders',
    resource: path,
    isCollection: path === 'orders',
  }),
  errors: {
    read: (json) => {
      const { kind, says } = errorSchema.safeParse(json).data?.problem ?? { kind: '', says: '' };
      return { code: kind, requestId: '', text: says, faults: [] };
    },
    // The shop answers a wrong token with 400, as it answers a wrong order.
    typeOf: ({ body }) => (body.code === 'token' ? FailureType.unauthorized : undefined),
  },
  advice: { ...GENERAL_ADVICE, Unauthorized: 'Ask the shop for a new token.' },
};
