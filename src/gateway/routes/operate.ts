import { z } from '@hono/zod-openapi';

import { faultsBelow } from '../../engine/core/faults.js';
import type { Operation, StatusDocument } from '../../contract/index.js';
import { durationSchema } from '../../engine/schema/parse-input.js';
import { InvalidInputError } from '../../client/index.js';
import { identityOf } from '../tokens.js';
import { audited } from '../audit.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { Component, json, problems, reference, runParameters } from '../openapi/describe.js';
import { parseBody, parseOperationInput, runPath } from '../read-request.js';
import { readOptionalBody } from '../read-body.js';
import { within } from '../within.js';
import { findRunNow, refuseOtherInput } from '../find-run.js';
import type { RunView } from '../status-board.js';
import { Scope, type Caller } from '../../tokens/token-file.js';

/** The client itself gives up after three waits of 5 seconds. */
const ANSWER_WITHIN_MS = 20_000;

const nothingSchema = z.strictObject({});
const resumeSchema = z.strictObject({
  input: z.unknown().optional().describe('the whole corrected input of the operation'),
});
const abortSchema = z.strictObject({ reason: z.string().max(1_000).optional() });
const extendSchema = z.strictObject({
  holdFor: durationSchema.describe('from now, such as "2 hours"'),
});

interface Action {
  name: string;
  summary: string;
  schema: z.ZodType;
  example?: object;
  /** Sends the update. `undefined`: the run answers later. */
  send: (parts: GatewayParts, run: RunView, body: unknown) => Promise<StatusDocument | undefined>;
}

const ACTIONS: readonly Action[] = [
  {
    name: 'pause',
    summary: 'The run sends nothing new',
    schema: nothingSchema,
    send: ({ gcore }, run) => gcore.pause(run),
  },
  {
    name: 'resume',
    summary: 'A paused or blocked run continues, with a corrected input if one is given',
    schema: resumeSchema,
    send: ({ gcore }, run, body) => {
      const { input } = parseBody(resumeSchema, body);
      return gcore.resume(run, input === undefined ? undefined : correct(run.operation, input));
    },
  },
  {
    name: 'abort',
    summary: 'The run undoes its work and fails as Aborted',
    schema: abortSchema,
    example: { reason: 'the order was withdrawn' },
    send: ({ gcore }, run, body) => {
      const { reason } = parseBody(abortSchema, body);
      return gcore.abort(run, reason === undefined ? {} : { reason });
    },
  },
  {
    name: 'extend',
    summary: 'A hold lasts longer',
    schema: extendSchema,
    example: { holdFor: '2 hours' },
    send: ({ gcore }, run, body) => gcore.extend(run, parseBody(extendSchema, body)),
  },
  {
    name: 'restore',
    summary: 'A hold ends now',
    schema: nothingSchema,
    send: ({ gcore }, run) => gcore.restore(run),
  },
  {
    name: 'cancel',
    summary: 'The run undoes its work and ends as cancelled',
    schema: nothingSchema,
    async send({ gcore }, run) {
      await gcore.cancel(run);
      return undefined;
    },
  },
];

/** What an operator asks of a run. */
export function operateEndpoints(parts: GatewayParts): Endpoint[] {
  return ACTIONS.map((action) => ({
    scope: Scope.operate,
    route: {
      method: 'post',
      path: `/v1/runs/{id}/${action.name}`,
      operationId: action.name,
      tags: ['Operate'],
      summary: action.summary,
      request: {
        ...runParameters,
        body: {
          required: action.schema === extendSchema,
          content: {
            'application/json': {
              schema: action.schema,
              ...(action.example === undefined ? {} : { example: action.example }),
            },
          },
        },
      },
      responses: {
        ...(action.name === 'cancel'
          ? { 202: { description: 'The run was asked to end' } }
          : { 200: json('Where the run is now', reference(Component.status)) }),
        ...problems(400, 404, 409, 413, 415, 503),
      },
    },
    handle: (c) => operate(parts, c, action),
  }));
}

async function operate(parts: GatewayParts, c: GatewayContext, action: Action): Promise<Response> {
  const body = parseBody(action.schema, await readOptionalBody(c));
  const run = await findRunNow(parts, c);
  if (action.schema === resumeSchema) refuseCorrection(c.get('caller'), run, body);
  const status = await send(parts, run, { action, body, c });
  if (status === undefined) return c.body(null, 202, { Location: runPath(run.workflowId) });
  return c.json({ workflowId: run.workflowId, state: run.state, ...status }, 200);
}

async function send(
  parts: GatewayParts,
  run: RunView,
  { action, body, c }: { action: Action; body: unknown; c: GatewayContext },
): Promise<StatusDocument | undefined> {
  const acting = { ...parts, gcore: parts.gcore.as(identityOf(c.get('caller'))) };
  const about = { c, action: action.name, workflowId: run.workflowId };
  try {
    return await audited(parts.audit, about, () =>
      within(parts.gcore, ANSWER_WITHIN_MS, () => action.send(acting, run, body)),
    );
  } finally {
    parts.board.forget(run.workflowId);
  }
}

/** Asks a run for the action of this name. @throws InvalidInputError */
export async function operateByName(
  parts: GatewayParts,
  run: RunView,
  { name, body, c }: { name: string; body: object; c: GatewayContext },
): Promise<void> {
  const action = ACTIONS.find((known) => known.name === name);
  if (action === undefined) throw new TypeError(`There is no action ${name}`);
  await send(parts, run, { action, body: parseBody(action.schema, body), c });
}

/** A corrected input may ask for what the token does not allow. @throws ProblemError (403), InvalidInputError */
function refuseCorrection(caller: Caller, { operation }: RunView, body: unknown): void {
  const { input } = parseBody(resumeSchema, body);
  if (input !== undefined) refuseOtherInput(caller, correct(operation, input).input);
}

/** The faults of a corrected input point into the body, where it is below `input`. */
function correct<O extends Operation>(operation: O, input: unknown) {
  try {
    return { operation, input: parseOperationInput(operation, input) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidInputError(faultsBelow('input', error.faults));
  }
}
