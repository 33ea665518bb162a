import { z, type RouteConfig } from '@hono/zod-openapi';

import { Operation } from '../../contract/index.js';
import { OPERATIONS } from '../../contract/operations/index.js';
import { jsonSchemas } from '../../contract/json-schemas.js';
import { REFUSED_IN_IDS } from '../../engine/core/faults.js';
import { PROBLEM_TYPE } from '../problem.js';
import { namedRunSchema } from '../read-request.js';

type RouteResponse = RouteConfig['responses'][string];
type RouteBody = NonNullable<NonNullable<RouteConfig['request']>['body']>;
type JsonSchema = Record<string, unknown>;

/** The schemas of the contract under their names, as `#/components/schemas`. */
export const Component = {
  status: 'Status',
  problem: 'Problem',
  plan: 'Plan',
  report: 'ReportLine',
} as const;

export function reference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function inputName(operation: Operation): string {
  return `${capitalized(operation)}Input`;
}

function resultName(operation: Operation): string {
  return `${capitalized(operation)}Result`;
}

/** The body of a start or a plan: the input of the operation, with the example that the tests send. */
export function inputBody(operation: Operation): RouteBody {
  return {
    required: true,
    content: {
      'application/json': {
        schema: reference(inputName(operation)),
        example: OPERATIONS[operation].example,
      },
    },
  };
}

export function json(description: string, schema: z.ZodType | { $ref: string }): RouteResponse {
  return { description, content: { 'application/json': { schema } } };
}

const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  400: 'The request is not valid: every fault, by its place',
  403: 'The token does not allow this',
  404: 'There is no such run',
  409: 'It does not fit what exists: another input, or the state of the run',
  413: 'The body is too large',
  415: 'The body has an unsupported form',
  422: 'The run failed or was cancelled',
  429: 'Too many requests or streams',
  503: 'Not now: Temporal or a worker does not answer. Repeat it after Retry-After',
};

/** Problems of a route, besides 401 and 429, which every route may answer. */
export function problems(...statuses: number[]): Record<number, RouteResponse> {
  const all = [...new Set([401, 429, ...statuses])].sort((a, b) => a - b);
  return Object.fromEntries(
    all.map((status) => [
      status,
      {
        description: PROBLEM_TITLES[status] ?? 'The token is missing or unknown',
        content: { [PROBLEM_TYPE]: { schema: reference(Component.problem) } },
      },
    ]),
  );
}

/** The schemas of the contract, as they are shipped and served, under names that programs can use. */
export function contractComponents(): Map<string, JsonSchema> {
  const schemas = jsonSchemas();
  const named = (name: string): JsonSchema => inDocument(schemas[name] ?? {});
  return new Map([
    [Component.status, withRun(named('status'))],
    ...Object.values(Operation).flatMap((operation): [string, JsonSchema][] => [
      [inputName(operation), named(`${operation}.input`)],
      [resultName(operation), named(`${operation}.result`)],
    ]),
  ]);
}

/** The status document of the gateway also names its run, and the state that Temporal has it in. */
function withRun(status: JsonSchema): JsonSchema {
  const { properties, required } = status;
  return {
    ...status,
    properties: {
      workflowId: { type: 'string' },
      state: {
        type: 'string',
        description: "Temporal's name of the state, such as RUNNING or TERMINATED",
      },
      ...Object(properties),
    },
    required: ['workflowId', 'state', ...(Array.isArray(required) ? required.map(String) : [])],
  };
}

/** A rule that JSON Schema cannot say is left out: the gateway checks it all the same. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return inDocument(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** In a document a schema has the dialect and the address of the document. */
function inDocument(schema: object): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'),
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const runIdParameter = z.object({
  id: z
    .string()
    .describe('Workflow Id, percent-encoded as one segment')
    .openapi({
      example: 'provision-instance/default/order-4711',
      pattern: `^[^${REFUSED_IN_IDS}]+$`,
    }),
});

/** For a caller who means the run that a start has answered, and no later one of the request. */
export const namedRunParameter = z.object({
  runId: namedRunSchema
    .optional()
    .describe(
      'Run Id of the start: only that run is meant. 409 when another run of the request has begun since',
    ),
});

/** Which run a route is about. */
export const runParameters = { params: runIdParameter, query: namedRunParameter } as const;

/** The result of any operation, or of a plan. */
export function anyResult(description: string): RouteResponse {
  const schemas = Object.values(Operation).map((operation) => reference(resultName(operation)));
  const plan = { type: 'object' as const, properties: { plan: reference(Component.plan) } };
  return {
    description,
    content: { 'application/json': { schema: { anyOf: [...schemas, plan] } } },
  };
}
