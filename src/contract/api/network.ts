import { z } from 'zod';

/** `GET /cloud/v1/networks/{project_id}/{region_id}/{network_id}` */
export const networkSchema = z.object({ id: z.string(), name: z.string() });

/** `GET /cloud/v1/subnets/{project_id}/{region_id}/{subnet_id}` */
export const subnetSchema = z.object({ id: z.string(), name: z.string(), network_id: z.string() });
