import { z } from '@hono/zod-openapi';

import type { Fault } from '../engine/core/failures.js';
import { toPointer } from '../engine/core/faults.js';

/** A fault of a request. */
export const problemFaultSchema = z.object({
  pointer: z
    .string()
    .optional()
    .describe('JSON Pointer (RFC 6901) into the body; the empty text is the whole body'),
  parameter: z.string().optional().describe('name of the header or of the query parameter'),
  message: z.string(),
});

/** Faults of a body by their places in it. */
export function toPointers(faults: readonly Fault[]): ProblemFault[] {
  return faults.map(({ path, message, count }) =>
    count === undefined ? { pointer: toPointer(path), message } : { message },
  );
}

/** Faults of the query, or of the headers, by their names. */
export function toParameters(faults: readonly Fault[]): ProblemFault[] {
  return faults.map(({ path, message, count }) =>
    count === undefined ? { parameter: path, message } : { message },
  );
}

/** RFC 9457, with what a program and a person need to go on. */
export const problemSchema = z.object({
  type: z.string().describe('urn:gcore-workflows:problem:<code>'),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('what happened; never a value of the request'),
  code: z.string().describe('type of the failure, such as InvalidInput'),
  advice: z.string().describe('what to do next'),
  requestId: z.string().describe('as in the header X-Request-Id and in the log of the gateway'),
  workflowId: z.string().optional(),
  faults: z.array(problemFaultSchema).optional(),
  failure: z
    .looseObject({})
    .optional()
    .describe('details of the failure of a run: step, call of the API, resources that exist'),
});
export type ProblemDocument = z.infer<typeof problemSchema>;
export type ProblemFault = z.infer<typeof problemFaultSchema>;

/** A problem before the request is known. */
export interface Problem extends Pick<
  ProblemDocument,
  'title' | 'status' | 'detail' | 'code' | 'advice' | 'workflowId' | 'faults' | 'failure'
> {
  /** Further headers of the answer, such as `Retry-After`. */
  headers?: Record<string, string>;
}

/** Thrown anywhere below a route: becomes the answer. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export const PROBLEM_TYPE = 'application/problem+json';

function problemType(code: string): string {
  return `urn:gcore-workflows:problem:${code}`;
}

export function toProblemDocument(problem: Problem, requestId: string): ProblemDocument {
  const { title, status, detail, code, advice, workflowId, faults, failure } = problem;
  return {
    type: problemType(code),
    title,
    status,
    detail,
    code,
    advice,
    requestId,
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(faults === undefined ? {} : { faults }),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** The kind of an error and its stack. Its message may hold what the caller sent. */
export function placeOf({ name, stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line));
  return [name, ...frames.slice(0, 5).map((line) => line.trim())].join(' ');
}

export const BUSY: Problem = {
  status: 503,
  code: 'Busy',
  title: 'The gateway is busy',
  detail:
    'The gateway has too many requests in flight, or too much in memory for them. Nothing was started or changed.',
  advice: 'Wait as Retry-After says, and send the request again.',
  headers: { 'Retry-After': '1' },
};
