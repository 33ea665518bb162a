import { setTimeout as pass } from 'node:timers/promises';

import { z } from 'zod';

import { provisionInput } from '../../support/inputs/provision-input.js';
import { say, type Row } from '../report.js';
import { leftOut, reads } from '../supported.js';
import type { ProductionServer } from '../server/production-server.js';
import { openAccount, openCloud, uniqueName, type Account } from './account.js';
import {
  createPatientClient,
  openGateway,
  writeTokens,
  type GatewayProcess,
  type Send,
} from './gateways.js';
import { judgeHistories, judgeRuns, PART, type Started } from './judge-runs.js';
import { accountEnvironments, ACCOUNTS, codecEnvironment } from './settings.js';

const START_EVERY_MS = 2_000;
const DOWN_MS = 5_000;
/** Longer than the server waits for an answer of its database. */
const STALLED_MS = 12_000;
const BETWEEN_MS = 6_000;

interface Parts {
  server: ProductionServer;
  blue: Account;
  green: Account;
  first: GatewayProcess;
  second: GatewayProcess;
}

/**
 * Runs of two accounts are started over HTTP, one every two seconds for each account, while one part of the installation after the other
 * breaks. The API loses the answer to every fifth create. Every run must end, with exactly one instance.
 */
export async function runInstallation(server: ProductionServer): Promise<Row[]> {
  const { address } = server;
  const { token, file } = await writeTokens();
  const shared = { TEMPORAL_ADDRESS: address, ...(await codecEnvironment()) };
  const clouds = { blue: await openCloud(), green: await openCloud() };
  const accounts = await accountEnvironments({ blue: clouds.blue.url, green: clouds.green.url });
  const open = (name: keyof typeof clouds): Promise<Account> =>
    openAccount(name, clouds[name], { ...shared, ...accounts[name] });
  const [blue, green] = [await open('blue'), await open('green')];
  const [first, second] = [await openGateway(shared, file), await openGateway(shared, file)];
  for (const { simulator } of [blue, green]) {
    const match = { method: 'POST', path: /^\/cloud\/v2\/instances\//, every: 5, times: Infinity };
    simulator.faults.add({ match, action: { kind: 'drop-response' } });
  }
  const parts = { server, blue, green, first, second };
  const rows = await runThrough(parts, createPatientClient([first, second], token));
  rows.push(...(await stop(parts)));
  await Promise.all([first.kill(), second.kill(), blue.close(), green.close()]);
  return rows;
}

async function runThrough(parts: Parts, send: Send): Promise<Row[]> {
  const striking = new AbortController();
  const starting = Promise.all(
    [parts.blue, parts.green].map((account) => startRuns(send, account, striking.signal)),
  );
  const strikes = await strike(parts);
  striking.abort();
  const runs = (await starting).flat();
  say(`${runs.length} runs are started; waiting for their ends`);
  const startedAt = Date.now();
  const ends = await Promise.all(runs.map((run) => resultOf(send, run)));
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  return [
    ...strikes,
    { part: PART, what: 'all runs ended', result: `${seconds} s after the last start` },
    ...(await judgeRuns(send, { runs, ends })),
    await judgeHistories(parts.server.address, runs),
    reads(ACCOUNTS)
      ? { part: PART, what: 'accounts from a file', result: 'one file, two workers' }
      : leftOut(PART, 'accounts from a file', ACCOUNTS),
  ];
}

async function startRuns(send: Send, account: Account, signal: AbortSignal): Promise<Started[]> {
  const starts: Promise<Started>[] = [];
  while (!signal.aborted) {
    starts.push(startRun(send, account));
    await pass(START_EVERY_MS);
  }
  return Promise.all(starts);
}

const startedSchema = z.object({ workflowId: z.string() });

async function startRun(send: Send, account: Account): Promise<Started> {
  const [requestId, canary] = [uniqueName('order'), uniqueName('web')];
  const { status, body, attempts } = await send('/v1/runs/provisionInstance', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': requestId },
    body: JSON.stringify({ ...provisionInput({ name: canary }), account: account.name }),
  });
  if (status !== 202) throw new Error(`A start was answered with ${status}: ${body}`);
  return {
    account,
    workflowId: startedSchema.parse(JSON.parse(body)).workflowId,
    attempts,
    canary,
  };
}

const ENDED_WITHIN_MS = 300_000;

/** The status of the answer: 200 succeeded, 422 failed, 202 still open. */
async function resultOf(send: Send, { workflowId }: Started): Promise<number> {
  const deadline = Date.now() + ENDED_WITHIN_MS;
  const path = `/v1/runs/${encodeURIComponent(workflowId)}/result?wait=30s`;
  for (;;) {
    const { status } = await send(path);
    if (status !== 202 || Date.now() > deadline) return status;
  }
}

interface Strike {
  name: string;
  breaks: () => Promise<unknown>;
  mends: () => Promise<unknown>;
  downMs?: number;
}

function strikesOn({ server, blue, green, first, second }: Parts): Strike[] {
  const { database, killTemporal, startTemporal } = server;
  return [
    { name: 'a gateway killed', breaks: first.kill, mends: first.start },
    { name: 'a worker killed', breaks: blue.killWorker, mends: blue.startWorker },
    { name: 'Temporal killed', breaks: killTemporal, mends: startTemporal },
    { name: 'database killed', breaks: database.kill, mends: database.start },
    {
      name: 'database stalled',
      breaks: database.stall,
      mends: database.resume,
      downMs: STALLED_MS,
    },
    {
      name: 'the other worker and gateway killed',
      breaks: () => Promise.all([green.killWorker(), second.kill()]),
      mends: () => Promise.all([green.startWorker(), second.start()]),
    },
    {
      name: 'Temporal and database killed',
      breaks: () => Promise.all([killTemporal(), database.kill()]),
      mends: () => database.start().then(startTemporal),
    },
  ];
}

/** Breaks one part after the other, and measures until both accounts call the API again. */
async function strike(parts: Parts): Promise<Row[]> {
  const rows: Row[] = [];
  await pass(BETWEEN_MS);
  for (const { name, breaks, mends, downMs = DOWN_MS } of strikesOn(parts)) {
    say(name);
    await breaks();
    await pass(downMs);
    await mends();
    const mendedAt = Date.now();
    const seconds = await Promise.all(
      [parts.blue, parts.green].map((account) => nextCall(account, mendedAt)),
    );
    const result = `down ${downMs / 1_000} s, then ${Math.max(...seconds).toFixed(1)} s until both accounts call the API`;
    rows.push({ part: PART, what: name, result });
    await pass(BETWEEN_MS);
  }
  return rows;
}

async function nextCall({ simulator }: Account, since: number): Promise<number> {
  const before = simulator.requests.length;
  while (simulator.requests.length === before) await pass(50);
  return (Date.now() - since) / 1_000;
}

/** SIGTERM ends every process with exit code 0. */
async function stop({ blue, green, first, second }: Parts): Promise<Row[]> {
  const processes = {
    'worker stopped by SIGTERM': [blue.worker, green.worker],
    'gateway stopped by SIGTERM': [first.process, second.process],
  };
  const rows: Row[] = [];
  for (const [what, both] of Object.entries(processes)) {
    const startedAt = Date.now();
    for (const { child } of both) child.kill('SIGTERM');
    const codes = await Promise.all(both.map(({ exit }) => exit));
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    const result = `exit codes ${codes.join(', ')} within ${seconds} s`;
    rows.push({ part: PART, what, result, isSound: codes.every((code) => code === 0) });
  }
  return rows;
}
