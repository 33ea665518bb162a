import { z } from 'zod';

import { apiNameSchema } from './api-text.js';
import { listEnvelope } from './common.js';

/** `GET /cloud/v1/projects` */
export const projectListSchema = listEnvelope(
  z.object({ id: z.number().int(), name: apiNameSchema }),
);

/** `GET /cloud/v1/regions` */
export const regionListSchema = listEnvelope(
  z.object({ id: z.number().int(), display_name: apiNameSchema }),
);

/** `GET /cloud/v1/flavors/{project_id}/{region_id}` */
export const flavorListSchema = listEnvelope(
  z.object({
    flavor_id: apiNameSchema,
    flavor_name: apiNameSchema,
    disabled: z.boolean().optional(),
    vcpus: z.number().int(),
    ram: z.number().int(),
  }),
);
