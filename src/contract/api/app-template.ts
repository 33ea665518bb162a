import { z } from 'zod';

import { lenientArray } from './cloud.js';

/**
 * The parameters that an instance from this template takes in its `configuration`.
 * Source: `GET /cloud/v1/apptemplates/{project_id}/{region_id}/{apptemplate_id}`.
 */
export const appTemplateSchema = z.object({
  app_config: lenientArray(
    z.object({
      name: z.string(),
      required: z.boolean().nullish(),
      default: z.unknown().optional(),
    }),
  ),
});
