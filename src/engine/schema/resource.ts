import { z } from 'zod';

import { ResourceKind } from '../core/status.js';

/** Something at the API that a run created or adopted and that exists or may exist. */
export const resourceSchema = z.object({
  kind: z.enum(ResourceKind),
  id: z.string(),
});
export type Resource = z.infer<typeof resourceSchema>;
