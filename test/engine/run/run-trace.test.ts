import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';

import {
  spanIdOf,
  traceOfRun,
  TRACE_HEADER,
  type RunSpan,
} from '../../../src/engine/core/trace-span.js';
import { createRunTrace } from '../../../src/engine/run/trace-run.js';

const TRACE_ID = 'a'.repeat(32);
const CALLER = 'b'.repeat(16);

function headersWith(traceparent: string) {
  return { [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}

const TRACED = headersWith(`00-${TRACE_ID}-${CALLER}-01`);

function traceInto(spans: Partial<RunSpan>[], runId = 'run-1') {
  return createRunTrace({ runId: () => runId, tell: (span) => spans.push(span) });
}

function traceparentIn(headers: Record<string, Payload>): string {
  const carrier: unknown = defaultPayloadConverter.fromPayload(headers[TRACE_HEADER] ?? {});
  return String(Reflect.get(Object(carrier), 'traceparent'));
}

describe('the trace of a run', () => {
  it('hands on the promises of its calls themselves: an await would change the order of commands', () => {
    const trace = traceInto([]);
    const promise = new Promise(() => undefined);

    const run = trace.run('RunWorkflow', TRACED, () => promise);
    const call = trace.call('StartActivity', {}, () => promise);
    const update = trace.update({ name: 'pause', headers: TRACED }, () => promise);

    expect([run, call, update].every((given) => given === promise)).toBe(true);
  });

  it('calls at once what it is given', () => {
    const trace = traceInto([]);
    const called: string[] = [];
    const act = (name: string) => () => {
      called.push(name);
      return Promise.resolve();
    };

    void trace.run('RunWorkflow', TRACED, act('run'));
    void trace.call('StartActivity', {}, act('call'));

    expect(called).toEqual(['run', 'call']);
  });

  it('is that of the caller, from the run to each of its calls', async () => {
    const spans: Partial<RunSpan>[] = [];
    const trace = traceInto(spans);
    let sent = {};

    await trace.run('RunWorkflow:x', TRACED, () =>
      trace.call('StartActivity:y', { other: TRACED[TRACE_HEADER] }, (headers) => {
        sent = headers;
        return Promise.resolve();
      }),
    );

    const [call, run] = spans;
    expect(run).toMatchObject({ name: 'RunWorkflow:x', traceId: TRACE_ID, parentSpanId: CALLER });
    expect(call).toMatchObject({ traceId: TRACE_ID, parentSpanId: run?.spanId });
    expect(traceparentIn(sent)).toBe(`00-${TRACE_ID}-${call?.spanId}-01`);
    expect(Object.keys(sent)).toEqual(['other', TRACE_HEADER]);
  });

  it('says why a call has failed', async () => {
    const spans: Partial<RunSpan>[] = [];
    const trace = traceInto(spans);

    const running = trace.run('RunWorkflow', TRACED, () => Promise.reject(new Error('no quota')));

    await expect(running).rejects.toThrow('no quota');
    expect(spans).toMatchObject([{ error: 'no quota' }]);
  });

  it('goes on in the next history where this one began', () => {
    const trace = traceInto([]);
    void trace.run('RunWorkflow', TRACED, () => new Promise(() => undefined));

    expect(traceparentIn(trace.handOn({}))).toBe(`00-${TRACE_ID}-${CALLER}-01`);
  });

  it.each([
    ['no trace', {}],
    ['a broken one', headersWith('00-xyz')],
    ['the header of somebody else', { [TRACE_HEADER]: {} }],
  ])('is none for a run with %s', async (_name, headers) => {
    const spans: Partial<RunSpan>[] = [];
    const trace = traceInto(spans);
    const given = {};

    await trace.run('RunWorkflow', headers, () =>
      trace.call('StartActivity', given, (sent) => {
        expect(sent).toBe(given);
        return Promise.resolve();
      }),
    );

    expect(trace.handOn(given)).toBe(given);
    expect(spans).toEqual([]);
  });

  it('passes on, but tells nothing, when nobody records it', async () => {
    const spans: Partial<RunSpan>[] = [];
    const trace = traceInto(spans);
    let sent = {};

    await trace.run('RunWorkflow', headersWith(`00-${TRACE_ID}-${CALLER}-00`), () =>
      trace.call('StartActivity', {}, (headers) => {
        sent = headers;
        return Promise.resolve();
      }),
    );

    expect(spans).toEqual([]);
    expect(traceparentIn(sent)).toMatch(/-00$/);
  });

  it('has the same ids on every replay', async () => {
    const ids = async (runId: string) => {
      const spans: Partial<RunSpan>[] = [];
      const trace = traceInto(spans, runId);
      await trace.run('RunWorkflow', TRACED, async () => {
        for (let at = 0; at < 3; at++) await trace.call('a', {}, () => Promise.resolve());
      });
      return spans.map(({ spanId }) => spanId);
    };

    expect(await ids('run-1')).toEqual(await ids('run-1'));
    expect(new Set([...(await ids('run-1')), ...(await ids('run-2'))]).size).toBe(8);
  });
});

describe('the ids of spans', () => {
  it('differ from each other', () => {
    const ids = new Set<string>();
    for (let run = 0; run < 100; run++) {
      for (let count = 0; count < 100; count++) ids.add(spanIdOf(`run-${run}`, count));
    }

    expect(ids.size).toBe(10_000);
    expect([...ids].every((id) => /^(?!0{16})[0-9a-f]{16}$/.test(id))).toBe(true);
  });

  it('of a run without a trace are made of its Run Id', () => {
    const { traceId } = traceOfRun('01A1FECA-737b-77d9-9b7a-3a4bddcdc869');

    expect(traceId).toBe('01a1feca737b77d99b7a3a4bddcdc869');
    expect(traceOfRun('no uuid').traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});
