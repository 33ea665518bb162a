import { z } from '@hono/zod-openapi';

import { plannedIdOf } from '../../contract/index.js';
import { audited } from '../audit.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import {
  Component,
  json,
  anyResult,
  problems,
  reference,
  runParameters,
  namedRunParameter,
} from '../openapi/describe.js';
import { unauthorized } from '../middleware.js';
import { noWorkerProblem } from '../to-problem.js';
import { ProblemError } from '../problem.js';
import { matchesTag, namedRunOf, parseWait, badParameters, readQuery } from '../read-request.js';
import { followSignals, within } from '../within.js';
import { readReportLines, toStream } from '../report-lines.js';
import {
  findNewest,
  findNewestNow,
  findPast,
  findRun,
  findRunNow,
  isAnother,
  maySeeStill,
} from '../find-run.js';
import type { RunView } from '../status-board.js';
import { Scope } from '../../tokens/token-file.js';

const ANSWER_WITHIN_MS = 15_000;

const waitSchema = z.strictObject({
  ...namedRunParameter.shape,
  wait: z
    .string()
    .optional()
    .describe('how long to wait for the end, such as 30s; at most 55s, not at all when left out'),
});

/** Everything that reads one run and answers once. */
export function readRunEndpoints(parts: GatewayParts): Endpoint[] {
  return [
    statusEndpoint(parts),
    resultEndpoint(parts),
    explanationEndpoint(parts),
    reportEndpoint(parts),
  ];
}

function statusEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.read,
    route: {
      method: 'get',
      path: '/v1/runs/{id}',
      operationId: 'status',
      tags: ['Read'],
      summary: 'The status document of a run',
      request: {
        ...runParameters,
        headers: z.object({ 'If-None-Match': z.string().optional() }),
      },
      responses: {
        200: {
          ...json('Where the run is', reference(Component.status)),
          headers: { ETag: { description: 'of this document', schema: { type: 'string' } } },
        },
        304: { description: 'It is still the document of If-None-Match' },
        ...problems(400, 404, 409, 503),
      },
    },
    handle: async (c) => answerStatus(c, await findRun(parts, c), 200),
  };
}

function answerStatus(c: GatewayContext, view: RunView, status: 200 | 202): Response {
  const { document, workflowId } = view;
  if (document === undefined) throw new ProblemError(noWorkerProblem(workflowId));
  const headers = { ETag: `"${document.tag}"`, 'Cache-Control': 'private, no-cache' };
  if (status === 200 && matchesTag(c.req.header('if-none-match'), document.tag)) {
    return c.body(null, 304, headers);
  }
  const again: Record<string, string> = status === 202 ? { 'Retry-After': '1' } : {};
  return c.body(document.text, status, {
    ...headers,
    ...again,
    'Content-Type': 'application/json',
  });
}

function resultEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.read,
    route: {
      method: 'get',
      path: '/v1/runs/{id}/result',
      operationId: 'result',
      tags: ['Read'],
      summary: 'The result of a run, as soon as it has one',
      description:
        '200: the result. 202: the run goes on, with its status document; ask again. 422: the run failed or was cancelled, and the problem says why. With `runId` all of that is about that run, also after another one has begun.',
      request: { ...runParameters, query: waitSchema },
      responses: {
        200: anyResult('The result of the operation, or { plan } of a plan'),
        202: json('The run goes on', reference(Component.status)),
        ...problems(400, 404, 422, 503),
      },
    },
    handle: async (c) => {
      const wait = parseWait(readQuery(c, waitSchema).wait);
      if (!wait.ok) throw badParameters([{ path: 'wait', message: wait.message }]);
      const ended = await endedView(parts, c, wait.ms);
      if (!(await maySeeStill(c, ended)))
        throw unauthorized('This token may read this run no more.');
      // Of a run that was named it tells the end, also when another one has begun since.
      const isPast = await isAnother(parts, c, ended);
      if (!ended.isEnded && !isPast) return answerStatus(c, ended, 202);
      const { workflowId } = ended;
      const runId = namedRunOf(c.req.url) ?? ended.runId;
      const run = isPast ? await findPast(parts, c, runId) : { ...ended, runId };
      const about = { c, action: 'result', workflowId };
      const result = await audited(parts.audit, about, () =>
        c.get('makeLarge')(() => resultOf(parts, run)),
      );
      return c.json(result, 200);
    },
  };
}

async function endedView(parts: GatewayParts, c: GatewayContext, ms: number): Promise<RunView> {
  const known = await findNewest(parts, c);
  const view = known.isEnded ? await findNewestNow(parts, c) : known;
  const isOver = view.isEnded || (await isAnother(parts, c, view));
  return isOver ? view : untilEnded(parts, { c, view, ms });
}

/** The view at the end of the run, or the one after this time. */
async function untilEnded(
  { board, streams, closing }: GatewayParts,
  { c, view, ms }: { c: GatewayContext; view: RunView; ms: number },
): Promise<RunView> {
  if (ms === 0) return view;
  const free = streams.take(c.get('caller').name);
  const following = followSignals(closing, c.req.raw.signal);
  const timer = setTimeout(following.abort, ms);
  try {
    const { workflowId } = view;
    const seen = { tag: undefined, untilEnded: true, by: c.get('caller').name };
    const ended = await board.next(workflowId, seen, following.signal);
    return ended ?? (await board.read(workflowId));
  } finally {
    clearTimeout(timer);
    following.letGo();
    free();
  }
}

type Asked = Pick<RunView, 'workflowId' | 'runId' | 'operation'>;

/** @throws RunFailedError, RunCancelledError, which answer as 422 */
async function resultOf({ gcore }: GatewayParts, run: Asked): Promise<object> {
  const { workflowId, operation } = run;
  if (plannedIdOf(workflowId) !== undefined) {
    return { plan: await within(gcore, ANSWER_WITHIN_MS, () => gcore.planOf(workflowId)) };
  }
  return within(gcore, ANSWER_WITHIN_MS, () => gcore.result(operation, run));
}

function explanationEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.read,
    route: {
      method: 'get',
      path: '/v1/runs/{id}/explanation',
      operationId: 'explanation',
      tags: ['Read'],
      summary: 'In plain English: what happened, what the run waits for, what to do next',
      description: 'Needs no worker.',
      request: runParameters,
      responses: {
        200: json('The explanation', explanationSchema),
        ...problems(400, 404, 409, 503),
      },
    },
    handle: async (c) => {
      const view = await findRunNow(parts, c);
      const explained = await c.get('makeLarge')(() =>
        within(parts.gcore, ANSWER_WITHIN_MS, () => parts.gcore.explain(view)),
      );
      return c.json(explained, 200);
    },
  };
}

const explanationSchema = z.object({
  paragraph: z.string(),
  next: z.string().describe('the next step'),
  facts: z.looseObject({}).describe('what the explanation was made from'),
});

function reportEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.read,
    route: {
      method: 'get',
      path: '/v1/runs/{id}/report',
      operationId: 'report',
      tags: ['Read'],
      summary: 'What became of every line of an import, as JSON Lines',
      description: 'Also of an import that goes on, failed or was cancelled. Needs a worker.',
      request: runParameters,
      responses: {
        200: {
          description: 'One object for each line',
          content: { 'application/jsonl': { schema: reference(Component.report) } },
        },
        ...problems(400, 404, 409, 503),
      },
    },
    handle: async (c) => {
      const lines = await readReportLines(parts, c);
      return c.body(toStream(jsonTexts(lines)), 200, { 'Content-Type': 'application/jsonl' });
    },
  };
}

function* jsonTexts(lines: Iterable<object>): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}
