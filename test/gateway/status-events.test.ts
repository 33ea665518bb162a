import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { Hono } from 'hono';

import { createGcoreWorkflows } from '../../src/client/index.js';
import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { eventOf, openStream } from '../../src/gateway/routes/events.js';
import { createStatusBoard, type RunView } from '../../src/gateway/status-board.js';
import { createStreamCap } from '../../src/gateway/stream-cap.js';
import { LOCAL } from '../../src/gateway/middleware.js';
import { collectGarbage } from '../support/http/collect-garbage.js';
import { until } from '../support/timing/until.js';

describe('the event of a status document', () => {
  const document = { text: '{"phase":"running"}', tag: 'a-tag' };

  it('is made once, however many streams have it in memory', () => {
    expect(eventOf(document)).toBe(eventOf(document));
  });

  it('names the document by its tag', () => {
    expect(Buffer.from(eventOf(document)).toString()).toBe(
      'event: status\ndata: {"phase":"running"}\nid: a-tag\n\n',
    );
  });
});

const FRESH_MS = 20;
const ID = 'provision-instance/default/order-1';

/** A stream of a run that does not change, and all documents that were read for it. */
function followedRun() {
  const documents: WeakRef<object>[] = [];
  const read = (): Promise<RunView> => {
    const document = { text: '{"phase":"running"}', tag: 'a-tag' };
    documents.push(new WeakRef(document));
    return Promise.resolve({
      ...{ workflowId: ID, runId: 'run-1', operation: 'provisionInstance', account: 'default' },
      ...{ state: 'RUNNING', phase: 'running', isEnded: false },
      ...{ startedAt: '2026-05-04T03:02:00.000Z', document },
    } as const);
  };
  const closing = new AbortController();
  const board = createStatusBoard(read, FRESH_MS);
  const streams = createStreamCap({ total: 1, perCaller: 1 });
  const client = new Client({ connection: Connection.lazy() });
  const gcore = createGcoreWorkflows({ client, taskQueue: 'none' });
  const parts = { gcore, board, streams, closing: closing.signal };
  const app = new Hono<GatewayEnv>();
  app.get('/', async (c) => {
    c.set('caller', LOCAL);
    c.set('callerNow', () => Promise.resolve(LOCAL));
    return openStream(parts, { c, view: await board.read(ID), last: undefined });
  });
  return {
    app,
    documents,
    close: () => {
      closing.abort();
    },
  };
}

describe('a stream of events', () => {
  it('keeps no document in memory while it waits for the next one', async () => {
    const { app, documents, close } = followedRun();
    const answer = await app.request('/');
    const reader = answer.body?.getReader();
    let text = '';
    while (!text.includes('id: a-tag'))
      text += Buffer.from((await reader?.read())?.value ?? []).toString();

    await until('it has looked some more times', () => documents.length > 3);
    await until('none is left but that of the newest look', async () => {
      await delay(FRESH_MS);
      collectGarbage();
      return documents.slice(0, -2).every((each) => each.deref() === undefined);
    });

    expect(documents[0]?.deref()).toBeUndefined();
    close();
    await reader?.cancel();
  });
});
