import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { headOf, smallRequest, type Credentials } from './route-requests.js';
import { endAll, leaveUnread } from './stalled-connections.js';

/** As JSON, for a process of its own: what a busy one reads late, the gateway would wait to write. */
export const siegeSchema = z.object({
  gateway: z.object({
    url: z.string(),
    callers: z.array(z.object({ name: z.string(), token: z.string(), cookie: z.string() })),
  }),
  largePaths: z.array(z.string()).describe('whole inputs of megabytes'),
  eventPaths: z.array(z.string()).describe('events of runs that go on'),
  ms: z.number(),
  isSlow: z
    .boolean()
    .describe('bodies and lists stand still before their ends, or come as fast as they are taken'),
});
export type Siege = z.output<typeof siegeSchema>;

/** Of each token. */
const STREAMS = 1_250;
const BODIES_AT_ONCE = 20;
const UPLOADS_AT_ONCE = 2;
const READS_AT_ONCE = 20;
const UNREAD = 30;

/** As many values as an input may have, and a long text. */
const BODY = Buffer.from(
  JSON.stringify({
    profile: {
      ip_address: '203.0.113.7',
      profile_template: 1,
      fields: [
        ...Array.from({ length: 18_000 }, (_, at) => ({ base_field: at + 1 })),
        { base_field: 18_001, field_value: 'x'.repeat(1_400_000) },
      ],
    },
  }),
);

const LIST_BYTES = 56 * 1_024 ** 2;
const LINE_BYTES = 400_000;

/** Nothing of it can be made shorter by much, and each one is another list. */
function* listOf(bytes: number): Generator<Buffer> {
  const value = randomBytes(LINE_BYTES).toString('hex');
  for (let sent = 0, at = 0; sent < bytes; sent += value.length, at += 1) {
    const from = Math.floor(Math.random() * value.length);
    const text = value.slice(from) + value.slice(0, from);
    const payload = { value: `${at} ${text}` };
    yield Buffer.from(`${JSON.stringify({ op: 'add', key: `k${at}`, datatype: 'kv', payload })}\n`);
  }
}

/** The same, in a process of its own. */
export async function besiege(siege: Siege): Promise<void> {
  const words = ['--import', PRELOAD, BESIEGE, JSON.stringify(siege)];
  await once(spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
}

const PRELOAD = './test/support/jest/preload.js';
const BESIEGE = 'test/gateway/besiege.ts';

/** Each of the tokens does all of it, until the time is over. */
export async function everythingAtOnce(siege: Siege): Promise<void> {
  const over = AbortSignal.timeout(siege.ms);
  await Promise.all(siege.gateway.callers.map((caller) => doEverything(siege, caller, over)));
}

async function doEverything(siege: Siege, caller: Credentials, over: AbortSignal): Promise<void> {
  const { gateway, largePaths } = siege;
  const pathAt = (at: number) => largePaths[at % largePaths.length] ?? '';
  const read = async (at: number) => {
    const headers = { cookie: caller.cookie ?? '' };
    await (await fetch(`${gateway.url}${pathAt(at)}`, { headers, signal: over })).text();
  };
  const send = () => sendBody(siege, caller, over);
  const upload = () => uploadList(siege, caller, over);
  const again = (count: number, act: (at: number) => Promise<unknown>) =>
    Array.from({ length: count }, (_, at) => repeat(() => act(at), over));
  await Promise.all([
    holdStreams(siege, caller, over),
    leaveReads(siege, caller, over),
    ...again(BODIES_AT_ONCE, send),
    ...again(UPLOADS_AT_ONCE, upload),
    ...again(READS_AT_ONCE, read),
  ]);
}

async function repeat(act: () => Promise<unknown>, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    // Who is refused comes again, as fast as that.
    await act().catch(() => undefined);
    await delay(AGAIN_MS);
  }
}

const AGAIN_MS = 20;

async function holdStreams(
  { gateway, eventPaths }: Siege,
  caller: Credentials,
  over: AbortSignal,
): Promise<void> {
  const each = Math.ceil(STREAMS / eventPaths.length);
  const open = [];
  for (const path of eventPaths) {
    const text = smallRequest(`GET ${path}`, caller);
    for (let count = 0; count < each && !over.aborted; count += AT_A_TIME)
      open.push(...(await leaveUnread(gateway.url, AT_A_TIME, text)));
  }
  await ended(over);
  endAll(open);
}

const AT_A_TIME = 50;

async function leaveReads(
  { gateway, largePaths }: Siege,
  caller: Credentials,
  over: AbortSignal,
): Promise<void> {
  await repeat(async () => {
    const text = largePaths.map((path) => smallRequest(`GET ${path}`, caller)).join('');
    const open = await leaveUnread(gateway.url, UNREAD, text.repeat(UNREAD_OF_EACH));
    await Promise.race([delay(UNREAD_MS), ended(over)]);
    endAll(open);
  }, over);
}

const UNREAD_OF_EACH = 4;
const UNREAD_MS = 15_000;

const PLAN = 'POST /v1/plans/protectIp';

/** The last byte of a slow one comes just before it is too late. */
async function sendBody({ gateway, isSlow }: Siege, caller: Credentials, over: AbortSignal) {
  const headers = { 'Content-Length': BODY.length, Connection: 'close' };
  await sendInParts(gateway.url, over, [
    Buffer.from(headOf(PLAN, caller, headers)),
    BODY.subarray(0, -1),
    ...(isSlow ? [LATE_MS] : []),
    BODY.subarray(-1),
  ]);
}

const LATE_MS = 4_000;

async function uploadList({ gateway, isSlow }: Siege, caller: Credentials, over: AbortSignal) {
  const headers = { 'Transfer-Encoding': 'chunked', Connection: 'close' };
  const head = Buffer.from(headOf('POST /v1/uploads/modifyKvStore', caller, headers));
  const drops = isSlow ? Array.from({ length: DROPS }, () => [LATE_MS, SPACES]).flat() : [];
  const bytes = LIST_BYTES * (0.5 + Math.random() / 2);
  await sendInParts(gateway.url, over, partsOfUpload(head, bytes, drops));
}

/** Made as they are sent. */
function* partsOfUpload(head: Buffer, bytes: number, drops: readonly (Buffer | number)[]) {
  yield head;
  for (const line of listOf(bytes)) yield chunked(line);
  for (const drop of drops) yield typeof drop === 'number' ? drop : chunked(drop);
  yield chunked(Buffer.alloc(0));
}

const DROPS = 10;
const SPACES = Buffer.from(' '.repeat(60_000));

function chunked(part: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
}

/** Numbers are pauses, in milliseconds. It takes what it is told. */
async function sendInParts(url: string, over: AbortSignal, parts: Iterable<Buffer | number>) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const leave = () => socket.destroy();
  over.addEventListener('abort', leave);
  for (const part of parts) {
    if (socket.destroyed || over.aborted) break;
    if (typeof part === 'number') await Promise.race([delay(part), closed]);
    else if (!socket.write(part)) await Promise.race([once(socket, 'drain'), closed]).catch(leave);
  }
  await closed;
  over.removeEventListener('abort', leave);
}

function ended(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort');
}
