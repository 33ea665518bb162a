import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from '@temporalio/client';
import { z } from 'zod';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { KEEP_UPLOAD } from '../../src/contract/wire/uploads.js';
import { defineBench, number } from '../bench.js';
import { cpuMsOf, processCpu, temporalPidAt } from '../processes.js';
import { medianOf } from '../statistics.js';
import { inBenchWorld, type BenchWorld } from '../worlds.js';

const MIB = 1024 ** 2;
/** What the server does after its answer, such as its lists. */
const AFTERWARDS_MS = 1_500;

type Keep = (list: Buffer) => Promise<unknown>;

/** As it comes, in pieces that are started anew each time. */
const keepPlainly =
  (client: Client): Keep =>
  async (list) => {
    for (let from = 0; from < list.length; from += MIB) {
      await client.workflow.start(KEEP_UPLOAD, {
        workflowId: `plain/${list.subarray(0, 80).toString('hex')}/${from}`,
        taskQueue: 'nobody',
        args: [list.subarray(from, from + MIB)],
        startDelay: '30 days',
        workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      });
    }
  };

const keepOurs = (client: Client): Keep => {
  const gcore = createGcoreWorkflows({ client, identity: randomUUID() });
  return (list) => gcore.upload('importVideos', Readable.from([list]));
};

export const uploads = defineBench({
  id: 'uploads',
  title: 'Uploaded lists',
  summary: 'what a list costs its uploader and the Temporal server, first and again',
  minutes: 1,
  columns: [
    { key: 'way', title: 'kept' },
    { key: 'clientMs', title: 'CPU of the uploader', unit: 'ms' },
    { key: 'serverMs', title: 'CPU of the server', unit: 'ms' },
    { key: 'againClientMs', title: 'again: uploader', unit: 'ms' },
    { key: 'againServerMs', title: 'again: server', unit: 'ms' },
  ],
  settings: z.strictObject({ mebibytes: number(8), rounds: number(5) }),
  parts: { both: {} },
  quick: { mebibytes: 1, rounds: 1 },
  measure: ({ mebibytes, rounds }) =>
    inBenchWorld({}, async (world) => {
      const ways = [
        { way: 'checked, compressed, once', keep: keepOurs(world.client) },
        { way: 'unchecked, as it is, each time', keep: keepPlainly(world.client) },
      ];
      const costs = ways.map((way) => ({ ...way, rounds: new Array<Costs>() }));
      for (let round = 0; round < rounds; round++) {
        const list = listOf(mebibytes * MIB);
        for (const each of costs) each.rounds.push(await measureBoth(world, each.keep, list));
      }
      return { rows: costs.map(({ way, rounds: all }) => toRow(way, all)) };
    }),
});

type Cost = Record<'clientMs' | 'serverMs', number>;
type Costs = Record<'first' | 'again', Cost>;

async function measureBoth(world: BenchWorld, keep: Keep, list: Buffer): Promise<Costs> {
  return { first: await measure(world, keep, list), again: await measure(world, keep, list) };
}

async function measure({ address }: BenchWorld, keep: Keep, list: Buffer): Promise<Cost> {
  const server = temporalPidAt(address);
  const before = { client: processCpu(), server: cpuMsOf(server) };
  await keep(list);
  const clientMs = processCpu() - before.client;
  await delay(AFTERWARDS_MS);
  return { clientMs, serverMs: cpuMsOf(server) - before.server };
}

/** Videos whose names and sources are all different. */
function listOf(bytes: number): Buffer {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)?.length ?? bytes) {
    const id = randomUUID();
    const origin = `https://files.example.com/2026/05/${id}.mp4`;
    lines.push(`${JSON.stringify({ name: `Interview ${id}`, origin_url: origin })}\n`);
  }
  return Buffer.from(lines.join(''));
}

function toRow(way: string, rounds: readonly Costs[]) {
  const of = (when: keyof Costs, what: keyof Cost) =>
    medianOf(rounds, (round) => round[when][what]);
  return {
    way,
    clientMs: of('first', 'clientMs'),
    serverMs: of('first', 'serverMs'),
    againClientMs: of('again', 'clientMs'),
    againServerMs: of('again', 'serverMs'),
  };
}
