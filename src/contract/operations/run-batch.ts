import { z } from 'zod';

import { FailureType } from '../../engine/core/failures.js';
import type { Urgency } from '../../engine/core/names.js';
import { jsonByteLength } from '../../engine/core/text.js';
import { itemCountsSchema } from '../../engine/schema/status-document.js';
import { ledgerSchema } from '../documents.js';
import { manifestSchema, refuseOtherUpload } from '../manifest.js';
import { TOO_MANY_FAILURES, type BatchedOperation } from '../wire/batch.js';
import { Operation } from '../wire/names.js';
import { failedLinesSchema, linesSchema, MAX_INLINE_BYTES, tolerateSchema } from './bulk-input.js';
import { accountInputShape } from './common-input.js';
import { defineOperation, withRequestId } from './define-operation.js';

/** Larger lists come as a manifest. */
export const MAX_INLINE_ITEMS = 2_000;
/** They come along with each start of some items. */
const MAX_DEFAULTS_BYTES = 32_768;

/** With their own request ids, all of them fit into one payload. */
export const MAX_BATCH_ITEMS = 10_000;

/** Each run that goes on is looked at by itself now and then. */
const MAX_AT_ONCE = 200;
export const DEFAULT_AT_ONCE = 20;

/** What an item can be an input of. */
export const BATCHED_OPERATIONS: readonly BatchedOperation[] = Object.values(Operation).filter(
  (operation) => operation !== Operation.runBatch,
);

const fieldsSchema = z.record(z.string(), z.unknown());

/** The fields of a batch, each by itself. */
export const batchFieldsSchema = z.strictObject({
  ...accountInputShape,
  operation: z.enum(BATCHED_OPERATIONS).describe('what is run for each item'),
  items: z
    .array(fieldsSchema)
    .min(1, { error: 'must have at least one item' })
    .max(MAX_INLINE_ITEMS, {
      error: `must have at most ${MAX_INLINE_ITEMS} items: use a manifest for more`,
    })
    .refine((items) => jsonByteLength(items) <= MAX_INLINE_BYTES, {
      error: 'must have at most 1 MiB: use a manifest for more',
      when: ({ value }) => Array.isArray(value),
    })
    .optional()
    .describe('inputs of the operation, each with a requestId if you name it; or a manifest'),
  manifest: manifestSchema.optional().describe('the items by reference, one per line'),
  lines: linesSchema(MAX_BATCH_ITEMS)
    .optional()
    .describe('only these lines of the manifest or the list, counted from 1'),
  defaults: fieldsSchema
    .refine((fields) => jsonByteLength(fields) <= MAX_DEFAULTS_BYTES, {
      error: `must have at most ${MAX_DEFAULTS_BYTES} bytes as JSON`,
    })
    .optional()
    .describe('fields of every item that does not have them itself; objects are merged'),
  idPrefix: z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(200, { error: 'must have at most 200 characters' })
    .optional()
    .describe(
      'begins the request ids of items that have none of their own; the request id of the batch when left out',
    ),
  key: z
    .string()
    .regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/, {
      error: 'must be the path of a field, such as "instance.name"',
    })
    .optional()
    .describe(
      'the field whose value is the request id of each item without one of its own, such as "instance.name"',
    ),
  atOnce: z
    .number()
    .int()
    .min(1)
    .max(MAX_AT_ONCE)
    .optional()
    .describe(`so many runs go on at the same time; ${DEFAULT_AT_ONCE} when left out`),
  canary: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('start this many first; the rest only when no more of them fail than tolerated'),
  tolerate: tolerateSchema('items')
    .optional()
    .describe('how many items may fail before the run fails; none when left out'),
  stopOn: z
    .array(z.enum([TOO_MANY_FAILURES, ...Object.values(FailureType)]))
    .min(1, { error: 'must not be empty: leave it out to try every item' })
    .optional()
    .describe(
      `start no further item once one has failed or is blocked as one of these, or once more have failed than tolerated (${TOO_MANY_FAILURES})`,
    ),
  urgency: z
    .enum(['incident', 'normal', 'bulk'] satisfies Urgency[])
    .optional()
    .describe('of the runs; that of the operation when left out'),
  onAbort: z
    .enum(['leave', 'cancel'])
    .optional()
    .describe(
      'when this run is aborted, cancelled or late, the runs that it has started go on (leave, the default) or are asked to cancel',
    ),
});

/**
 * Input of the workflow `runBatch`: one operation for many inputs. Each item is an input of the operation, with a
 * `requestId` beside its fields where the caller names it.
 *
 * @example
 * { operation: 'setInstancePower',
 *   items: [{ requestId: 'web-1', instanceId: '8942f0cf-b297-4fc5-8bf7-02c5f5d920fa', action: 'stop' }] }
 */
export const runBatchInputSchema = batchFieldsSchema
  .superRefine(({ items, manifest }, context) => {
    if ((items === undefined) !== (manifest === undefined)) return;
    const message = 'must have either "items" or "manifest"';
    context.addIssue({ code: 'custom', path: [], message });
  })
  .superRefine(refuseOtherUpload);

const linesOfReport = z.string().describe('numbers and ranges, such as "1-19 22"');

/**
 * The outcome of every line, in a short form: numbers and ranges. A line that is in no list was not tried. The run of a
 * line has the Workflow Id `<operation-kebab>/<account>/<request id>`.
 */
export const batchReportSchema = z.object({
  operation: z.enum(BATCHED_OPERATIONS).describe('what was run for each item'),
  account: z.string().describe('of all runs'),
  lines: z.string().describe('all requested lines'),
  succeeded: linesOfReport,
  before: linesOfReport.describe(
    'of those that succeeded: lines whose requests had succeeded before, so nothing was done for them now',
  ),
  joined: linesOfReport
    .optional()
    .describe('lines whose runs somebody else has started; missing when there are none'),
  failed: z
    .array(failedLinesSchema({ example: 'QuotaExceeded', text: 'why they failed' }))
    .describe('lines that failed, by their failure'),
  open: linesOfReport.describe('lines whose runs had not ended when the batch saw them last'),
  blocked: z
    .array(failedLinesSchema({ example: 'Unauthorized', text: 'why they are blocked' }))
    .describe('of those that are open: who needs a person'),
  idPrefix: z.string().describe('begins the request ids of lines that are named by what they say'),
  ids: z
    .array(
      z.object({
        lines: linesOfReport,
        ids: z.array(z.string()).describe('in the order of the lines'),
      }),
    )
    .describe('the request ids of all lines that were started'),
});

/** Result of `runBatch`: counts and the outcome of every line. The runs themselves have the results of the items. */
const runBatchResultSchema = z.object({
  counts: itemCountsSchema.describe('items by outcome'),
  report: batchReportSchema.describe('the outcome of every line'),
  ledger: ledgerSchema,
});

export const runBatch = defineOperation({
  guarantees:
    'Runs one operation for each item of a list or a [manifest](manifests.md), a few at the same time, and reports the outcome of every line. Each item is a request of its own, with a name that does not depend on its place in the list, and an item that has a run already joins it. A batch that makes something refuses a line that may be a changed form of one that it has made. The runs do not depend on the batch: they go on when it ends.',
  page: 'batch.md',
  shows: [
    'operation',
    'manifest.sha256',
    'lines',
    'idPrefix',
    'key',
    'atOnce',
    'canary',
    'tolerate.count',
    'tolerate.percent',
    'stopOn',
    'urgency',
    'onAbort',
  ],
  messages:
    'the query `report`, also after a failure; the update `join` of whoever repeats it while it is open, when its operation can hold',
  failures: { always: ['ItemsFailed'], blocks: ['ManifestUnreadable'] },
  input: runBatchInputSchema,
  result: runBatchResultSchema,
  example: {
    operation: 'protectIp',
    items: [
      { profile: { ip_address: '203.0.113.7', profile_template: 12, fields: [] } },
      { profile: { ip_address: '203.0.113.8', profile_template: 12, fields: [] } },
    ],
    labels: { group: 'incident-42' },
  },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'once',
  requestId: 'from caller',
  defaults: { tolerate: { count: 0 }, onAbort: 'leave' },
  joinsWith: ['atOnce', 'urgency'],
  subjects: () => [],
  readsOnly: false,
  startAgain: withRequestId('batch', 'OPERATION', 'FILE'),
  whereToLook: () => 'The list of runs shows what it has started',
  leaves: {
    says: 'The runs that it has started are requests of their own: its report names them',
    next: 'look at those that failed, then start the same batch again: what is done stays done',
  },
  completedWork: ({ counts }) => ({
    done: `it has run ${counts.succeeded} items`,
    advice: 'The report names the runs; each can be looked at and undone by itself.',
  }),
});
