import { describe, expect, it } from '@jest/globals';
import { context, propagation, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { CompleteAsyncError } from '@temporalio/activity';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  defaultPayloadConverter,
  type Headers,
} from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';

import { TRACE_HEADER, traceOfRun } from '../../../src/engine/core/trace-span.js';
import { activitySpans } from '../../../src/observe/tracing/activity-spans.js';
import { clientSpans } from '../../../src/observe/tracing/client-spans.js';
import { nexusSpans } from '../../../src/observe/tracing/nexus-spans.js';
import { createSpanAround } from '../../../src/observe/tracing/span-around.js';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const RUN = {
  workflowId: 'resize-instance/default/a',
  runId: '018f3c4e-5a6b-7c8d-9e0f-112233445566',
};

function recorded() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { spanAround: createSpanAround(provider.getTracer('test')), exporter };
}

/** The span of an activity whose call had these headers. */
async function spanOfActivity(headers: Headers, act: () => Promise<unknown>) {
  const { spanAround, exporter } = recorded();
  const traced = activitySpans(spanAround, new AlwaysOnSampler());
  const environment = new MockActivityEnvironment({ workflowExecution: RUN, attempt: 2 });
  const inbound = traced(environment.context).inbound;
  const ended = await inbound
    ?.execute?.({ args: [], headers }, act)
    .then(() => undefined)
    .catch((error: unknown) => error);
  return { span: exporter.getFinishedSpans()[0], ended };
}

const headerOf = (value: unknown): Headers => ({
  [TRACE_HEADER]: defaultPayloadConverter.toPayload(value),
});
const ok = () => Promise.resolve('ok');

describe('the span of an activity', () => {
  it('is under the span of whoever scheduled it', async () => {
    const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

    const { span } = await spanOfActivity(headerOf({ traceparent }), ok);

    expect(span?.parentSpanContext).toMatchObject(CALLER);
    expect(span?.attributes).toMatchObject({
      temporalWorkflowId: RUN.workflowId,
      run_id: RUN.runId,
      'temporal.attempt': 2,
    });
  });

  it('is in the trace of its run where nobody traced that', async () => {
    const { span } = await spanOfActivity({}, ok);

    expect(span?.parentSpanContext).toMatchObject(traceOfRun(RUN.runId));
  });

  it.each([
    ['no payload', { [TRACE_HEADER]: {} }],
    ['a number', headerOf(1)],
    ['nothing', headerOf(null)],
    ['a traceparent that is no text', headerOf({ traceparent: [1] })],
    ['a traceparent that is none', headerOf({ traceparent: 'x'.repeat(100) })],
  ])('does not fail the activity where the header of somebody else is %s', async (_, headers) => {
    const { span, ended } = await spanOfActivity(headers, ok);

    expect(ended).toBeUndefined();
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it.each([
    {
      what: 'a failure',
      error: new Error('the API is away'),
      code: SpanStatusCode.ERROR,
      messages: ['the API is away'],
    },
    {
      what: 'no news yet',
      error: ApplicationFailure.create({
        message: 'no news',
        category: ApplicationFailureCategory.BENIGN,
      }),
      code: SpanStatusCode.UNSET,
      messages: ['no news'],
    },
    {
      what: 'that it goes on elsewhere',
      error: new CompleteAsyncError(),
      code: SpanStatusCode.UNSET,
      messages: [],
    },
  ])('tells $what', async ({ error, code, messages }) => {
    const { span, ended } = await spanOfActivity({}, () => Promise.reject(error));

    expect(ended).toBe(error);
    expect(span?.status.code).toBe(code);
    expect(span?.events.map(({ attributes }) => attributes?.['exception.message'])).toEqual(
      messages,
    );
  });
});

describe('the span of a client', () => {
  it('is what the run hangs on', async () => {
    const { spanAround, exporter } = recorded();
    const [spans] = clientSpans(spanAround);
    const seen: Headers[] = [];

    await spans?.startWithDetails?.(
      {
        workflowType: 'resizeInstance',
        headers: { other: {} },
        options: { workflowId: RUN.workflowId, taskQueue: 'q', args: [] },
      },
      ({ headers }) => {
        seen.push(headers);
        return Promise.resolve({ runId: RUN.runId, eagerlyStarted: false });
      },
    );

    const [span] = exporter.getFinishedSpans();
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(span?.attributes).toEqual({ temporalWorkflowId: RUN.workflowId, run_id: RUN.runId });
    expect(seen).toEqual([
      { other: {}, ...headerOf({ traceparent: `00-${traceId}-${spanId}-01` }) },
    ]);
  });
});

describe('the span of a call over Nexus', () => {
  it('is in the trace of its caller', async () => {
    const { spanAround, exporter } = recorded();
    const call = {
      service: 'gcore',
      operation: 'resizeInstance',
      headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
      abortSignal: new AbortController().signal,
    };

    const input = { ctx: call, token: 'of-the-operation' };
    const { inbound } = nexusSpans(spanAround)(call);
    await inbound?.cancelOperation?.(input, () => Promise.resolve());

    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe('RunCancelNexusOperation:gcore/resizeInstance');
    expect(span?.parentSpanContext).toMatchObject(CALLER);
  });
});
