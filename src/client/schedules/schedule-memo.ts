import { z } from 'zod';

import { timingSchema, type Timing } from './schedule-timing.js';

/** Marks a schedule as made by this product. The server would give back another form of its timing. */
const MEMO = 'gcoreSchedule';

const memoSchema = z.object({ timing: timingSchema });

export function toMemo(timing: Timing): Record<string, unknown> {
  return { [MEMO]: { timing } };
}

/** `undefined` for a schedule that another tool has made. */
export function timingOf(memo: Readonly<Record<string, unknown>> | undefined): Timing | undefined {
  return memoSchema.safeParse(memo?.[MEMO]).data?.timing;
}
