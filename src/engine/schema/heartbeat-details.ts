import { z } from 'zod';

const turnSchema = z.object({
  waitingFor: z.literal('rate'),
  /** Requests a second that go out, roughly. */
  perSecond: z.number(),
  /** When the API began to answer 429, in ISO 8601; missing while it allows the configured rate. */
  since: z.string().optional(),
  /** Calls that wait in this process. */
  calls: z.number(),
});
export type TurnDetails = z.infer<typeof turnSchema>;

const repeatSchema = z.object({
  waitingFor: z.literal('answer'),
  /** The last failure of a read that is repeated, as the failure of the activity would show it. */
  failure: z.object({ type: z.string(), message: z.string() }),
  /** Failures of this read in a row. */
  failures: z.number(),
  /** When the read failed first, and when it is repeated, in ISO 8601. */
  since: z.string(),
  nextAt: z.string(),
});
export type RepeatDetails = z.infer<typeof repeatSchema>;

const watchSchema = z.object({
  waitingFor: z.literal('task'),
  /** Why the last look of the watcher failed. */
  trouble: z.string(),
});

/**
 * What a call waits for in the process of its worker. Temporal shows it as the heartbeat of the activity.
 * `progress` beside it belongs to the activity alone.
 */
export const heartbeatDetailsSchema = z.discriminatedUnion('waitingFor', [
  turnSchema,
  repeatSchema,
  watchSchema,
]);
export type HeartbeatDetails = z.infer<typeof heartbeatDetailsSchema>;
