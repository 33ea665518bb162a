import { z } from 'zod';

import { apiIdSchema, apiNameSchema } from './api-text.js';

/** `GET /cloud/v1/networks/{project_id}/{region_id}/{network_id}` */
export const networkSchema = z.object({ id: apiIdSchema, name: apiNameSchema });

/** `GET /cloud/v1/subnets/{project_id}/{region_id}/{subnet_id}` */
export const subnetSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema,
  network_id: apiIdSchema,
});
