import { z } from 'zod';

import { cutText } from '../../engine/core/cut-text.js';

/** A quota that a create would exceed. */
export interface ExceededQuota {
  quota: string;
  limit: number;
  requested: number | undefined;
  usage: number | undefined;
}

/** The API has some forty quotas. */
const MAX_QUOTAS = 100;
const MAX_NAME_BYTES = 100;

/**
 * `POST /cloud/v2/instances/{project_id}/{region_id}/check_limits`: a map of `<quota>_limit`,
 * `<quota>_requested`, `<quota>_usage`, filled for quotas that would be exceeded.
 */
export const exceededQuotasSchema = z
  .record(z.string(), z.unknown())
  .transform((answer): ExceededQuota[] =>
    Object.entries(answer)
      .flatMap(([field, limit]) => {
        const quota = /^(.+)_limit$/.exec(field)?.[1];
        if (quota === undefined || typeof limit !== 'number') return [];
        const requested = numberOrUndefined(answer[`${quota}_requested`]);
        const usage = numberOrUndefined(answer[`${quota}_usage`]);
        // The server may list quotas that are not exceeded too.
        if (requested !== undefined && usage !== undefined && requested + usage <= limit) return [];
        return [{ quota: cutText(quota, MAX_NAME_BYTES), limit, requested, usage }];
      })
      .slice(0, MAX_QUOTAS),
  );

function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
