/**
 * A print shop with an API that is unlike Gcore's wherever it can be: other header, other errors, no tasks. An order is
 * queued, then it is printed, unless the paper jams. It is in memory, and has the faults that real APIs have.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { z } from 'zod';

import { createGate, type Gate } from '../support/timing/gate.js';

const newOrderSchema = z.object({ text: z.string(), copies: z.number(), reference: z.string() });
type NewOrder = z.infer<typeof newOrderSchema>;

export interface ShopOrder extends NewOrder {
  id: string;
  state: 'queued' | 'printing' | 'printed' | 'jammed';
}

/** What a test may change at any time. */
export interface ShopSettings {
  /** Calls need it. */
  token: string;
  /** From an order to its last sheet. */
  printMs: number;
  /** Lists show an order only after this time. */
  listLagMs: number;
  /** Orders end as `jammed`. */
  jams: boolean;
  /** Nothing is taken and nothing is answered. */
  isCutOff: boolean;
  /** The next POST is carried out, and its answer is lost. */
  losesNextAnswer: boolean;
}

/** A POST that waits in the shop. */
export interface HeldPost {
  arrived: Promise<void>;
  letGo: () => void;
}

export interface Shop extends ShopSettings {
  url: string;
  /** All that came, also what was cut off: `POST /orders`. */
  calls: string[];
  /** What exists now. */
  orders: () => ShopOrder[];
  /** An order of somebody else. */
  place: (order: NewOrder) => ShopOrder;
  /** Holds the next POST: the `call`, or only its `answer`, when the order exists already. */
  holdNextPost: (what: 'call' | 'answer') => HeldPost;
  close: () => Promise<void>;
}

interface Made extends NewOrder {
  id: string;
  madeAt: number;
}

interface Hold {
  what: 'call' | 'answer';
  arrived: Gate;
  letGo: Gate;
}

interface Answer {
  status: number;
  body?: object;
}

/** What the shop keeps. */
interface Books {
  shop: Shop;
  made: Map<string, Made>;
  /** How many orders there ever were. */
  count: number;
  hold: Hold | undefined;
}

export async function openShop(settings: Partial<ShopSettings> = {}): Promise<Shop> {
  const server = createServer((request, response) => void serve(books, request, response));
  const made = new Map<string, Made>();
  const shop: Shop = {
    token: 'ink',
    printMs: 300,
    listLagMs: 0,
    jams: false,
    isCutOff: false,
    losesNextAnswer: false,
    ...settings,
    url: '',
    calls: [],
    orders: () => [...made.values()].map((order) => toOrder(order, shop)),
    place: (order) => take(books, order),
    holdNextPost: (what) => {
      books.hold = { what, arrived: createGate(), letGo: createGate() };
      const { arrived, letGo } = books.hold;
      return { arrived: arrived.opened, letGo: letGo.open };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  const books: Books = { shop, made, count: 0, hold: undefined };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    shop.url = `http://127.0.0.1:${address.port}`;
  return shop;
}

/** A connection that ends without an answer is what a caller sees of an outage, and of a lost answer. */
async function serve(books: Books, request: IncomingMessage, response: ServerResponse) {
  const { shop } = books;
  const { method = '', url = '' } = request;
  shop.calls.push(`${method} ${url.replace(/\?.*/, '')}`);
  const answer = shop.isCutOff ? undefined : await answerTo(books, request);
  if (answer === undefined) {
    request.socket.destroy();
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(answer.body && JSON.stringify(answer.body));
}

/** `undefined`: the answer is lost. */
async function answerTo(books: Books, request: IncomingMessage): Promise<Answer | undefined> {
  const { shop, made } = books;
  if (request.headers['x-shop-token'] !== shop.token) return problem(400, 'token', 'Who are you?');
  const { pathname, searchParams } = new URL(request.url ?? '', shop.url);
  const [, collection, id] = pathname.split('/');
  if (collection !== 'orders') return problem(404, 'path', 'There are orders here, and no more.');
  if (request.method === 'POST') return takePost(books, await json(request));
  if (id === undefined) return { status: 200, body: list(books, searchParams.get('reference')) };
  const order = made.get(id);
  if (order === undefined) return problem(404, 'order', `Nobody has ordered ${id}.`);
  if (request.method === 'GET') return { status: 200, body: toOrder(order, shop) };
  made.delete(id);
  return { status: 204 };
}

async function takePost(books: Books, body: unknown): Promise<Answer | undefined> {
  const { hold, shop } = books;
  books.hold = undefined;
  const isLost = shop.losesNextAnswer;
  shop.losesNextAnswer = false;
  const parsed = newOrderSchema.safeParse(body);
  if (!parsed.success) return problem(400, 'order', 'An order has text, copies and a reference.');
  if (hold?.what === 'call') await waitIn(hold);
  const order = take(books, parsed.data);
  if (hold?.what === 'answer') await waitIn(hold);
  return isLost ? undefined : { status: 201, body: order };
}

async function waitIn({ arrived, letGo }: Hold): Promise<void> {
  arrived.open();
  await letGo.opened;
}

function take(books: Books, order: NewOrder): ShopOrder {
  books.count += 1;
  const taken = { ...order, id: `order-${books.count}`, madeAt: Date.now() };
  books.made.set(taken.id, taken);
  return toOrder(taken, books.shop);
}

function list({ made, shop }: Books, reference: string | null): { orders: ShopOrder[] } {
  const listed = [...made.values()].filter(
    (order) => order.reference === reference && Date.now() >= order.madeAt + shop.listLagMs,
  );
  return { orders: listed.map((order) => toOrder(order, shop)) };
}

function toOrder({ madeAt, ...order }: Made, { printMs, jams }: Shop): ShopOrder {
  const share = (Date.now() - madeAt) / printMs;
  if (share < 1) return { ...order, state: share < 0.5 ? 'queued' : 'printing' };
  return { ...order, state: jams ? 'jammed' : 'printed' };
}

function problem(status: number, kind: string, says: string): Answer {
  return { status, body: { problem: { kind, says } } };
}
