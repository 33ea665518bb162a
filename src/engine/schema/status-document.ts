import { z } from 'zod';

import { AskedFor } from '../core/identity.js';
import { FailureType } from '../core/failures.js';
import { Phase, StepState, WEBHOOK_EVENT_TYPES } from '../core/status.js';

/** The words that differ from product to product: names of operations, kinds of resources. */
export interface Words<O extends z.ZodType<string>, K extends z.ZodType<string>> {
  operation: O;
  kind: K;
}

/** Something at the API that a run created or adopted and that exists or may exist. */
export function resourceSchemaOf<K extends z.ZodType<string>>({ kind }: { kind: K }) {
  return z.object({
    kind: kind.describe('such as instance or volume'),
    id: z.string().describe('id at the API'),
  });
}

/** One named part of a run, as a person sees it. Times are ISO 8601 in UTC. */
export function stepStatusSchemaOf<K extends z.ZodType<string>>(words: { kind: K }) {
  return z.object({
    name: z.string().describe('what it does, such as create instance'),
    state: z.enum(StepState).describe('how far it is, or how it ended'),
    startedAt: z.string().optional().describe('when it started; missing before'),
    endedAt: z.string().optional().describe('when it ended; missing before'),
    taskIds: z.array(z.string()).describe('ids of its tasks at the API'),
    resources: z
      .array(resourceSchemaOf(words))
      .describe('what it made or adopted, and has not removed'),
    note: z.string().optional().describe('what a person should know about it'),
  });
}
export type StepStatus = z.infer<ReturnType<typeof stepStatusSchemaOf<z.ZodString>>>;

/** What a run waits for, since when, what is usual and when it looks again. */
const waitingSchema = z.object({
  for: z.string(),
  state: z.string().optional(),
  holder: z.string().optional().describe('Workflow Id of the run that has the turn'),
  child: z.string().optional().describe('Workflow Id of the run that this one has started'),
  since: z.string(),
  typicalSeconds: z.number().optional().describe('what is usual; missing where nobody knows'),
  nextCheckAt: z.string().optional(),
  endsBy: z
    .string()
    .optional()
    .describe('when it ends at the latest, whatever the run sees until then'),
  holds: z
    .string()
    .optional()
    .describe(
      'what the run keeps until `nextCheckAt`, such as `protected`: then it puts back what was before',
    ),
  watched: z.boolean().optional().describe('a worker looks every few seconds'),
  unwatched: z
    .string()
    .optional()
    .describe('why no worker looks; the run looks by itself, less often'),
  deadline: z.string().optional(),
  advice: z.string().optional().describe('what a person does, where nothing else ends the wait'),
});
export type Waiting = z.infer<typeof waitingSchema>;

const blockedSchema = z.object({
  type: z.enum(FailureType),
  message: z.string(),
  advice: z.string(),
  since: z.string(),
  nextCheckAt: z.string().optional().describe('when the run tries by itself'),
  deadline: z.string().optional(),
});
export type Blocked = z.infer<typeof blockedSchema>;

const knownFailureSchema = z.object({
  type: z.enum(FailureType),
  message: z.string(),
  advice: z.string(),
  since: z.string().describe('when the run learned of it'),
  step: z.string().optional().describe('where it happened'),
});
export type KnownFailure = z.infer<typeof knownFailureSchema>;

/** How many items of a bulk run ended in which way. */
export const itemCountsSchema = z.object({
  asked: z.number().describe('items of the request'),
  succeeded: z.number().describe('items that are as asked'),
  failed: z.number().describe('items that failed'),
  pending: z.number().describe('items that were made, and were neither done nor failed at the end'),
  untried: z.number().describe('items that were not sent'),
  warned: z.number().describe('items that succeeded, although they carry an error text'),
  byClass: z.record(z.string(), z.number()).describe('failed items by the class of their failure'),
});

const itemsSchema = itemCountsSchema.extend({
  since: z.string().optional().describe('when the first item began'),
});
export type ItemsStatus = z.infer<typeof itemsSchema>;

const unservedSchema = z.object({
  account: z.string(),
  since: z.string().describe('when the oldest call that waits was due'),
  advice: z.string(),
});
export type UnservedAccount = z.infer<typeof unservedSchema>;

const undeliveredSchema = z.object({
  id: z.string().describe('webhook-id'),
  type: z.enum(WEBHOOK_EVENT_TYPES),
  sequence: z.number(),
  host: z.string(),
  at: z.string().describe('when the delivery was given up'),
  reason: z.string(),
});

const pendingSchema = z.object({
  host: z.string(),
  events: z.number(),
  since: z.string().describe('when the oldest one happened'),
});

const webhooksSchema = z.object({
  told: z.number().describe('events so far'),
  undelivered: z
    .array(undeliveredSchema)
    .optional()
    .describe('events that a receiver will never get; the newest 20'),
  pending: z
    .array(pendingSchema)
    .optional()
    .describe('events that are still being sent; after the end of the run only'),
});
export type WebhooksStatus = z.infer<typeof webhooksSchema>;

const askedSchema = z.object({
  for: z.enum(AskedFor),
  by: z
    .string()
    .describe('who asked: a claim, except for tokens of the gateway; `unknown` when nobody said'),
  at: z.string(),
  times: z.number().optional().describe('asked so often in a row; `at` is the last time'),
});
export type Asked = z.infer<typeof askedSchema>;

/**
 * The one description of a run: the `status` query, the CLI and the Temporal UI show this document.
 * `resources` of the steps together are everything the run made or adopted and has not verified as gone.
 */
export function statusDocumentSchemaOf<O extends z.ZodType<string>, K extends z.ZodType<string>>(
  words: Words<O, K>,
) {
  return z.object({
    version: z.literal(1),
    operation: words.operation,
    phase: z.enum(Phase),
    steps: z.array(stepStatusSchemaOf(words)),
    waiting: waitingSchema.optional(),
    blocked: blockedSchema.optional(),
    failure: knownFailureSchema
      .optional()
      .describe(
        'why the run fails, as soon as it is known: the rollback comes after it. Without `rolling-back` or an end, the run clears up and then tries again',
      ),
    items: itemsSchema.optional().describe('bulk runs: items by outcome so far'),
    unserved: unservedSchema
      .optional()
      .describe(
        'no worker serves the account, and calls wait for one. A run cannot know this: `status` of the client adds it',
      ),
    webhooks: webhooksSchema
      .optional()
      .describe(
        'present once somebody is told. After the end, `status` of the client asks the delivery',
      ),
    labels: z.record(z.string(), z.string()).optional().describe('the labels of its input'),
    asked: z
      .array(askedSchema)
      .optional()
      .describe('who started the run, and what was asked of it and taken since; the newest ten'),
    acceptsInput: z
      .boolean()
      .optional()
      .describe(
        'whether `resume` may carry a corrected input now; present only while the run is paused or blocked',
      ),
  });
}
export type StatusDocument = z.infer<
  ReturnType<typeof statusDocumentSchemaOf<z.ZodString, z.ZodString>>
>;
