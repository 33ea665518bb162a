import { z } from '@hono/zod-openapi';

import {
  InvalidInputError,
  type PageFilter,
  type RunPage,
  type RunSummary,
} from '../../client/index.js';
import { LISTED_PHASES } from '../../client/run-filter.js';
import type { Labels } from '../../engine/core/labels.js';
import { ACCOUNT_NAME } from '../../engine/core/names.js';
import { Operation } from '../../contract/index.js';
import type { Endpoint, GatewayParts, MakeLarge } from '../gateway-context.js';
import { json, problems } from '../openapi/describe.js';
import { badParameters, readQuery } from '../read-request.js';
import { within } from '../within.js';
import { isLimited, mayUse, refuseOther } from '../find-run.js';
import { Scope, type Caller } from '../../tokens/token-file.js';

const LIST_WITHIN_MS = 15_000;

/** `group=incident-42,team=media` */
const LABELS = /^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$/;

/** The filter of the client, as text. */
export const listQuerySchema = z.strictObject({
  phase: z
    .enum(LISTED_PHASES, {
      error: `must be one of ${LISTED_PHASES.join(', ')}; a run that waits is running here`,
    })
    .optional(),
  operation: z
    .enum(Operation, { error: `must be one of ${Object.keys(Operation).join(', ')}` })
    .optional(),
  account: z.string().regex(ACCOUNT_NAME, { error: 'must be the name of an account' }).optional(),
  resource: z
    .string()
    .regex(/^[\w.:/-]{1,200}$/, { error: 'must be the id of a resource' })
    .optional()
    .describe('id of a resource that the run made or found'),
  label: z
    .string()
    .max(1_000)
    .regex(LABELS, { error: 'must be labels, such as group=incident-42 or group=a,team=media' })
    .refine((text) => Object.keys(toLabels(text)).length === text.split(',').length, {
      error: 'names a label twice: no run has two values of one',
    })
    .optional()
    .describe('only runs that have all of these labels, such as group=incident-42,team=media'),
  search: z
    .string()
    .max(200, { error: 'must have at most 200 characters' })
    .optional()
    .describe('a Workflow Id, a request id, an address that is protected, or the id of a resource'),
  since: z.iso
    .datetime({ offset: true, error: 'must be a time, such as 2026-11-23T08:00:00Z' })
    .optional()
    .describe('only runs that were started since then'),
  open: z
    .enum(['true'], { error: 'must be true, or left out' })
    .optional()
    .describe('only runs that have not ended'),
  limit: z
    .string()
    .regex(/^([1-9]\d{0,2}|1000)$/, { error: 'must be a number from 1 to 1000' })
    .optional()
    .describe('longest page; 50 when left out'),
  page: z
    .string()
    .regex(/^[\w-]{1,4000}$/, { error: 'must be "next" of the page before' })
    .optional(),
});

const pageSchema = z.object({
  runs: z.array(
    z.object({
      workflowId: z.string(),
      runId: z.string().describe('of its newest history'),
      operation: z.string(),
      account: z.string(),
      isAccountGuessed: z
        .literal(true)
        .optional()
        .describe('nobody knows the account yet: a caller has chosen the Workflow Id'),
      partOf: z.string().optional().describe('Workflow Id of the run whose part this is'),
      batchOf: z.string().optional().describe('the operation of the items of a batch'),
      state: z.string().describe("Temporal's name of the state"),
      phase: z.string(),
      startedAt: z.string().describe('ISO 8601'),
      closedAt: z.string().optional().describe('ISO 8601'),
    }),
  ),
  next: z.string().optional().describe('for ?page=; missing on the last page'),
});

export function listEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.read,
    route: {
      method: 'get',
      path: '/v1/runs',
      operationId: 'list',
      tags: ['Read'],
      summary: 'The runs: open ones first, then the last to end',
      description:
        'Shows a new run some seconds late, as the lists of Temporal do. A page may be shorter than its limit; only the last one has no "next".',
      request: { query: listQuerySchema },
      responses: { 200: json('A page', pageSchema), ...problems(400, 403, 503) },
    },
    handle: async (c) => {
      const filter = toFilter(readQuery(c, listQuerySchema), c.get('caller'));
      const page = await listPage({ ...parts, makeLarge: c.get('makeLarge') }, filter);
      return c.json(page, 200);
    },
  };
}

/** A token that is limited to some operations or accounts sees those. @throws ProblemError (403) */
export function toFilter(
  { operation, account, label, since, open, limit, ...words }: z.infer<typeof listQuerySchema>,
  caller: Caller,
): PageFilter {
  refuseOther(caller, { operation, account });
  const given = {
    ...words,
    labels: label === undefined ? undefined : toLabels(label),
    operation: operation ?? caller.operations,
    account: account ?? caller.accounts,
    since: since === undefined ? undefined : new Date(since),
    open: open === undefined ? undefined : true,
    limit: limit === undefined ? undefined : Number(limit),
    shows: isLimited(caller) ? (run: RunSummary) => mayUse(caller, run) : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function toLabels(text: string): Labels {
  const pairs = text.split(',').map((label) => label.split('='));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

interface Listing extends Pick<GatewayParts, 'gcore'> {
  /** A long page has a megabyte. */
  makeLarge: MakeLarge;
}

/** One page, of what the filter shows. @throws ProblemError (400) */
export async function listPage(
  { gcore, makeLarge }: Listing,
  filter: PageFilter,
): Promise<RunPage> {
  try {
    return await makeLarge(() => within(gcore, LIST_WITHIN_MS, () => gcore.page(filter)));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw badParameters(error.faults);
  }
}
