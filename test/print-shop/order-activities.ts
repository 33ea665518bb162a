/** The calls to the shop, one function for each, grouped by what a repeat would do. */
import { z } from 'zod';

import { mergeGroups } from '../../src/engine/activities/activity-groups.js';
import { removalOf } from '../../src/engine/activities/run-of-activity.js';
import type { StartedRemoval } from '../../src/engine/core/tasks.js';
import type { ApiClient } from '../../src/engine/http/api-client.js';

const orderSchema = z.object({ id: z.string(), reference: z.string(), state: z.string() });
const listSchema = z.object({ orders: z.array(orderSchema) });

/** What a run needs to know about an order. */
export type Order = z.infer<typeof orderSchema>;

export interface NewOrder {
  text: string;
  copies: number;
  /** Finds the order again when the answer is lost. */
  reference: string;
}

export function createOrderActivities(api: ApiClient) {
  return mergeGroups({
    reads: {
      findOrders: async ({ reference }: { reference: string }): Promise<Order[]> => {
        const { orders } = await api.request({
          method: 'GET',
          path: 'orders',
          query: { reference },
          response: listSchema,
          isLarge: true,
          repeatable: true,
        });
        // Compares again: if a server ignored the filter, a foreign order must not become ours.
        return orders.filter((order) => order.reference === reference);
      },
      /** Fails as `NotFound` when nobody has such an order. */
      getOrder: ({ id }: { id: string }): Promise<Order> =>
        api.request({
          method: 'GET',
          path: `orders/${id}`,
          response: orderSchema,
          repeatable: true,
        }),
    },
    mutations: {
      /** Sent twice, it would be printed twice. */
      placeOrder: ({ text, copies, reference }: NewOrder): Promise<Order> =>
        api.request({
          method: 'POST',
          path: 'orders',
          body: { text, copies, reference },
          response: orderSchema,
          repeatable: false,
        }),
    },
    deletes: {
      deleteOrder: ({ id }: { id: string }): Promise<StartedRemoval> => {
        const request = api.request({
          method: 'DELETE',
          path: `orders/${id}`,
          response: z.undefined(),
          repeatable: false,
        });
        return removalOf(request.then(() => []));
      },
    },
  });
}

export type OrderActivities = ReturnType<typeof createOrderActivities>;
