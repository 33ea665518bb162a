import { describe, expect, it } from '@jest/globals';

import { Operation } from '../../src/contract/index.js';
import { InvalidInputError } from '../../src/client/index.js';
import { changedVideo } from '../../src/gateway/routes/video-hooks.js';
import { parseRequest } from '../../src/worker/nexus/operation-handler.js';
import { toHandlerError } from '../../src/worker/nexus/to-handler-error.js';
import { bodiesFor } from './hostile-bodies.js';

/** What one call may cost, on one core. */
const MOST_CPU_MS = 500;
const MOST_ANSWER = 64 * 1_024;
const MOST_TRIES = 4;

function cpuOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Of a few times the cheapest: a neighbour on the machine, or code that is not compiled yet, makes one of them dear. */
function priceOf(act: () => void, most = MOST_CPU_MS): number {
  let least = cpuOf(act);
  for (let tries = 1; tries < MOST_TRIES && least > most; tries += 1)
    least = Math.min(least, cpuOf(act));
  return least;
}

/** What a machine takes for a text of three megabytes as values and back. */
const REFERENCE = JSON.stringify(
  Array.from({ length: 60_000 }, (_, at) => ({ name: `a${at}`, value: [at, String(at)] })),
);
/** The dearest call costs eight times as much. */
const MOST_TIMES_REFERENCE = 12;

/** A slow or busy machine takes longer for all. */
function mostCpuMs(): number {
  return MOST_TIMES_REFERENCE * priceOf(() => void JSON.stringify(JSON.parse(REFERENCE)), 0);
}

function errorOf(act: () => unknown): Error | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The hostile bodies that are JSON: what comes through Nexus has been read by the codec. */
function hostileInputs(operation: Operation): { name: string; input: unknown }[] {
  return [...bodiesFor(`POST /v1/runs/${operation}`)].flatMap(([name, body]) => {
    let input: unknown;
    const isJson = errorOf(() => (input = JSON.parse(body.toString()))) === undefined;
    return isJson ? [{ name, input }] : [];
  });
}

/** Of what the caller's workflow gets: the message, and the details of its cause. */
function bytesOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  return error.message.length + JSON.stringify({ ...Object(error.cause) }).length;
}

/** One of each kind of reader: lists, calls, items of a batch, instances. */
const OPERATIONS = [
  Operation.callApi,
  Operation.modifyKvStore,
  Operation.provisionInstance,
  Operation.runBatch,
];

describe('a call through Nexus', () => {
  it.each(OPERATIONS)(
    'of %s costs little, and so does its refusal, whatever it holds',
    (operation) => {
      const rows = hostileInputs(operation).flatMap(({ name, input }) =>
        [input, { requestId: 'a', input }].map((sent) => {
          const error = errorOf(() => parseRequest(operation, sent));
          const cpuMs = priceOf(() => errorOf(() => parseRequest(operation, sent)));
          const isDear = cpuMs > MOST_CPU_MS && cpuMs > mostCpuMs();
          const bytes = bytesOf(toHandlerError(error));
          return { name, isRefused: error instanceof InvalidInputError, cpuMs, isDear, bytes };
        }),
      );

      expect(rows.filter(({ isDear, bytes }) => isDear || bytes > MOST_ANSWER)).toEqual([]);
      // What is right in itself is refused where it has no request around it.
      expect(rows.filter(({ isRefused }) => isRefused).length).toBeGreaterThan(rows.length / 2);
    },
  );
});

/** As long as a hook may be. */
const BYTES = 262_000;
const MOST_OF_HOOK_MS = 100;
const videoOf = (id: string) => `{"type":"video","message":{"id":${id}}}`;
const listsOf = (levels: number) => `${'['.repeat(levels)}7${']'.repeat(levels)}`;

describe('a hook', () => {
  it.each([
    ['lists in lists, for a number', videoOf(listsOf(BYTES / 2 - 50))],
    ['a list, for a number', videoOf(`[${'1,'.repeat(BYTES / 2 - 50)}1]`)],
    ['a number of as many digits', videoOf('9'.repeat(BYTES - 50))],
    ['a text of as many digits', videoOf(`"${'9'.repeat(BYTES - 50)}"`)],
    ['nothing but openings', '['.repeat(BYTES)],
    ['a message of many fields', videoOf(`0,${'"a":1,'.repeat(BYTES / 6 - 50)}"b":1`)],
  ])('of %s names no video, and costs little', (_, text) => {
    const body = Buffer.from(text);

    expect(body.length).toBeLessThan(262_144);
    expect(changedVideo(body)).toBeUndefined();
    expect(priceOf(() => changedVideo(body), MOST_OF_HOOK_MS)).toBeLessThan(MOST_OF_HOOK_MS);
  });
});
