import { Context } from '@temporalio/activity';
import type { z } from 'zod';

import { jsonByteLength } from '../core/text.js';
import { attemptOf } from './attempt.js';

/** The server keeps the details with the open call. A larger progress stays where it was. */
const MAX_BYTES = 16_384;

/**
 * What an earlier attempt of this call has reached; `undefined` when there is none, or when a worker of
 * another version wrote it: then the call begins anew.
 */
export function earlierProgress<T>(schema: z.ZodType<T>): T | undefined {
  return schema.safeParse(attemptOf(Context.current()).progress()).data;
}

/** From now on, each heartbeat carries what `reached` returns. It must hold no secret: Temporal shows it. */
export function keepProgress(reached: () => unknown): void {
  const attempt = attemptOf(Context.current());
  let last = attempt.progress();
  attempt.progress = () => {
    const progress = reached();
    if (jsonByteLength(progress) <= MAX_BYTES) last = progress;
    return last;
  };
}
