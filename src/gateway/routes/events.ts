import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import type { HttpBindings } from '@hono/node-server';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import { z } from '@hono/zod-openapi';

import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { problems, runParameters } from '../openapi/describe.js';
import { followSignals } from '../within.js';
import { findRun, isAnother, maySeeStill } from '../find-run.js';
import type { RunView } from '../status-board.js';
import { Scope } from '../../tokens/token-file.js';

export interface EventsOptions {
  /** Comments keep proxies from closing a quiet stream. */
  heartbeatMs: number;
  /** The longest stream. A reader comes back by itself, and goes on where it was. */
  longestMs: number;
}

const DEFAULTS: EventsOptions = { heartbeatMs: 15_000, longestMs: 3_600_000 };

/** The id of the last event of a run whose document nobody could read. */
const END_ID = 'end';

export function eventsEndpoint(parts: GatewayParts, options = DEFAULTS): Endpoint {
  return {
    scope: Scope.read,
    route: {
      method: 'get',
      path: '/v1/runs/{id}/events',
      operationId: 'events',
      tags: ['Read'],
      summary: 'The status documents of a run, as server-sent events',
      description:
        'Each `status` event is the whole document. With Last-Event-ID the stream begins at the first document that differs. The event `end` follows the last one; 204 after that stops a browser from coming back.',
      request: {
        ...runParameters,
        headers: z.object({ 'Last-Event-ID': z.string().optional() }),
      },
      responses: {
        200: {
          description: 'Events: status, end',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        204: { description: 'The run has ended, and Last-Event-ID names its last document' },
        ...problems(400, 404, 409, 429, 503),
      },
    },
    handle: async (c) => {
      const view = await findRun(parts, c);
      const last = c.req.header('last-event-id');
      if (view.isEnded && last === idOf(view)) return c.body(null, 204);
      return openStream(parts, { c, view, last, options });
    },
  };
}

/** Of the last event that a reader has seen. */
export function idOf({ document }: RunView): string {
  return document?.tag ?? END_ID;
}

/** Writes what the reader has not seen, and returns the id of what it has seen now. */
type WriteView = (
  stream: SSEStreamingApi,
  view: RunView,
  seen: string | undefined,
) => Promise<string | undefined>;

interface Opening {
  c: GatewayContext;
  view: RunView;
  last: string | undefined;
  options?: EventsOptions | undefined;
  write?: WriteView;
}

type Followed = Pick<GatewayParts, 'board' | 'gcore' | 'streams' | 'closing'>;

/** A stream of the views of a run, which ends with the run, the gateway or the right to read. */
export function openStream(
  parts: Followed,
  { c, view, last, options = DEFAULTS, write = writeView }: Opening,
): Response {
  // Proxies must not hold events back.
  c.header('X-Accel-Buffering', 'no');
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
  const free = parts.streams.take(c.get('caller').name);
  const run = { ...view };
  delete run.document;
  // Taken from here: a document that has been written must not stay as long as its stream.
  const first = [view];
  return streamSSE(c, async (stream) => {
    const { signal, abort, letGo } = followSignals(parts.closing);
    stream.onAbort(abort);
    const stop = keepAlive(stream, { c, run, options, leave: abort });
    const next = (tag: string | undefined) =>
      parts.board.next(run.workflowId, { tag, by: c.get('caller').name }, signal);
    try {
      const views = writeViews(parts, { c, stream, last, write, next }, first);
      await Promise.race([views, gone(signal)]);
    } finally {
      stop();
      letGo();
      free();
    }
  });
}

interface Kept {
  run: RunView;
  options: EventsOptions;
  leave: () => void;
}

/** Writes a comment now and then, and ends the stream of a reader that may not or does not read any more. */
function keepAlive(
  stream: SSEStreamingApi,
  { c, run, options, leave }: Pick<Opening, 'c'> & Kept,
): () => void {
  let unread = 0;
  // There are none in a call without a port.
  const { outgoing }: Partial<HttpBindings> = { ...c.env };
  const beat = async (): Promise<void> => {
    if (!(await maySeeStill(c, run))) leave();
    unread += 1;
    if (unread > MOST_UNREAD) outgoing?.destroy();
    await stream.write(': alive\n\n');
    unread -= 1;
  };
  const heartbeat = setInterval(() => void beat().catch(leave), options.heartbeatMs);
  const longest = setTimeout(leave, options.longestMs);
  // The connection keeps the process alive, not its timers.
  heartbeat.unref();
  longest.unref();
  return () => {
    clearInterval(heartbeat);
    clearTimeout(longest);
  };
}

/** A reader that has taken nothing for so many heartbeats is gone, or holds memory for nothing. */
const MOST_UNREAD = 4;

/** The moment after the stream was left: the last hint may still go out. */
async function gone(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  await delay(LAST_WORDS_MS, undefined, { ref: false });
}

const LAST_WORDS_MS = 1_000;

interface Writing extends Pick<Opening, 'c' | 'last'> {
  stream: SSEStreamingApi;
  write: WriteView;
  next: (tag: string | undefined) => Promise<RunView | undefined>;
}

/** What a reader has seen, and nothing of the view itself: a stream waits for the next one for minutes. */
type Shown = { tag: string | undefined } | 'ended' | 'left';

async function writeViews(
  parts: Followed,
  { c, stream, last, write, next }: Writing,
  first: RunView[],
): Promise<void> {
  await stream.write(`retry: ${retryMs()}\n\n`);
  const show = async (view: RunView | undefined, seen: string | undefined): Promise<Shown> => {
    if (view === undefined || !(await maySeeStill(c, view))) return 'left';
    const tag = await write(stream, view, seen);
    return view.isEnded ? 'ended' : { tag };
  };
  let shown = await show(first.pop(), last);
  while (typeof shown === 'object') {
    const { tag } = shown;
    shown = await next(tag).then(async (view) =>
      view !== undefined && (await isAnother(parts, c, view)) ? 'left' : show(view, tag),
    );
  }
  // The reader comes back: to another gateway, or with another token.
  if (shown === 'left') await stream.write(`retry: ${retryMs()}\n\n`);
}

/** Readers of a gateway that ends come back at different moments. */
function retryMs(): number {
  return 1_000 + Math.floor(Math.random() * 2_000);
}

const events = new WeakMap<object, Uint8Array>();

/** Thousands of streams may hold one document that nobody reads: they share its bytes. Its text is one line, as JSON is. */
export function eventOf(document: NonNullable<RunView['document']>): Uint8Array {
  const known = events.get(document);
  if (known !== undefined) return known;
  const event = Buffer.from(`event: status\ndata: ${document.text}\nid: ${document.tag}\n\n`);
  events.set(document, event);
  return event;
}

async function writeView(
  stream: SSEStreamingApi,
  view: RunView,
  seen: string | undefined,
): Promise<string | undefined> {
  const { document, isEnded, workflowId, state } = view;
  const isNew = document !== undefined && document.tag !== seen;
  if (isNew) await stream.write(eventOf(document));
  if (isEnded) {
    const data = JSON.stringify({ workflowId, state });
    await stream.writeSSE({ event: 'end', id: idOf(view), data });
  }
  return isNew ? document.tag : seen;
}
