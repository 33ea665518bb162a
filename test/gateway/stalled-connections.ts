import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { headOf, smallRequest, type Credentials, type Route } from './route-requests.js';

export interface Stalled {
  socket: Socket;
  /** Resolves when the gateway has let go of it. */
  closed: Promise<unknown>;
}

/** A connection that sends this. */
async function send(url: string, text: string): Promise<Stalled> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // The gateway may cut it at any time.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, closed };
}

/** Connections that send this and read nothing. */
export function leaveUnread(url: string, count: number, text: string): Promise<Stalled[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const stalled = await send(url, text);
      stalled.socket.pause();
      return stalled;
    }),
  );
}

/** As many requests as may wait in a connection: more would end it. It reads the first bytes of the answers. */
export async function pipelineUnread(url: string, route: Route, credentials: Credentials) {
  const stalled = await send(url, smallRequest(route, credentials).repeat(MOST_IN_LINE));
  const first = new Promise((resolve) => stalled.socket.once('data', resolve));
  await Promise.race([first, stalled.closed]);
  stalled.socket.pause();
  return stalled;
}

/** One is answered, the others wait. */
const MOST_IN_LINE = 17;

/** A request with a part of its body, or of its head where it has no body. */
export async function sendHalf(url: string, route: Route, credentials: Credentials) {
  const half = route.startsWith('POST')
    ? `${headOf(route, credentials, { 'Content-Length': 2_000 })}{"x":`
    : headOf(route, credentials).slice(0, -2);
  const stalled = await send(url, half);
  // It takes what it is told.
  stalled.socket.resume();
  return stalled;
}

export function endAll(stalled: readonly Stalled[]): void {
  for (const { socket } of stalled) socket.destroy();
}
