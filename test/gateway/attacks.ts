import { besiege } from './everything-at-once.js';
import { bodiesFor } from './hostile-bodies.js';
import type { MeasuredGateway } from './measured-gateway.js';
import { headOf, smallRequest, type Credentials, type Route } from './route-requests.js';
import { sendBytes } from './send-bytes.js';
import { endAll, leaveUnread, pipelineUnread, sendHalf } from './stalled-connections.js';

export interface Target {
  gateway: MeasuredGateway;
  /** All that it serves. */
  routes: readonly Route[];
  token: string;
  /** Counts from 0. */
  round: number;
  /** A document of megabytes, for who has signed in. */
  largePath: string;
  /** The events of a run that goes on. */
  eventPath: string;
}

/** What somebody may do again and again. One round takes seconds, and ends all its connections. */
type Attack = (target: Target) => Promise<void>;

const STRANGER: Credentials = { name: 'no token' };
const rightOf = ({ token, gateway: { cookie } }: Target): Credentials => ({
  name: 'a right token',
  token,
  cookie,
});

const AT_ONCE = 10;
/** A round is one of so many parts of the routes. */
const PARTS = 10;

/** Ten connections, each with one body after the other. */
async function sendBodies(
  { gateway, routes, round }: Target,
  credentials: Credentials,
): Promise<void> {
  const requests = routes
    .filter((route, at) => route.startsWith('POST') && at % PARTS === round % PARTS)
    .flatMap((route) => [...bodiesFor(route).values()].map((body) => ({ route, body })))
    .values();
  const sendNext = async (): Promise<void> => {
    for (const { route, body } of requests) {
      const headers = { 'Content-Length': body.length, Connection: 'close' };
      await sendBytes(gateway.url, headOf(route, credentials, headers), body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
}

type Stall = typeof sendHalf;

async function stallEach(stall: Stall, target: Target, credentials: Credentials): Promise<void> {
  const { gateway, routes } = target;
  const open = await Promise.all(routes.map((route) => stall(gateway.url, route, credentials)));
  await gateway.settled();
  endAll(open);
}

async function leaveEach(
  { gateway }: Target,
  { count, text }: { count: number; text: string },
): Promise<void> {
  const open = await leaveUnread(gateway.url, count, text);
  await gateway.settled();
  endAll(open);
}

/** Four tokens do all that tokens can do. */
function besiegeWith({ gateway, largePath, eventPath }: Target, isSlow: boolean): Promise<void> {
  const { url, callers } = gateway;
  const paths = { largePaths: [largePath], eventPaths: [eventPath] };
  return besiege({ gateway: { url, callers: [...callers] }, ...paths, ms: SIEGE_MS, isSlow });
}

const SIEGE_MS = 30_000;

const REFERENCE = 'GET /reference';
const WRONG_FORM = 'token=a-guess';

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'hostile bodies': (target) => sendBodies(target, rightOf(target)),
  'hostile bodies of a stranger': (target) => sendBodies(target, STRANGER),
  'half-sent requests': (target) => stallEach(sendHalf, target, rightOf(target)),
  'half-sent requests of a stranger': (target) => stallEach(sendHalf, target, STRANGER),
  'unread answers': (target) => stallEach(pipelineUnread, target, rightOf(target)),
  'unread answers of a stranger': (target) => stallEach(pipelineUnread, target, STRANGER),
  'unread documents': (target) =>
    leaveEach(target, { count: 100, text: smallRequest(REFERENCE, STRANGER).repeat(1_000) }),
  'unread large answers': (target) => {
    const text = smallRequest(`GET ${target.largePath}`, rightOf(target)).repeat(16);
    return leaveEach(target, { count: 60, text });
  },
  'wrong tokens': async ({ gateway }) => {
    const headers = { 'Content-Length': WRONG_FORM.length, Connection: 'close' };
    const form = headOf('POST /sign-in', STRANGER, headers) + WRONG_FORM;
    await Promise.all(Array.from({ length: 100 }, () => sendBytes(gateway.url, form)));
  },
  'everything at once': (target) => besiegeWith(target, false),
  'everything at once, slowly': (target) => besiegeWith(target, true),
  'connections that say nothing': (target) => leaveEach(target, { count: 500, text: '' }),
};
