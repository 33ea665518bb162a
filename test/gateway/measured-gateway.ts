import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { freePort } from '../../src/dev/temporal-ports.js';
import { Scope } from '../../src/tokens/token-file.js';
import { until } from '../support/timing/until.js';
import { startProcess } from '../support/workers/worker-process.js';

const usageSchema = z.object({
  cpuMs: z.number(),
  pauseMs: z.number().describe('the longest of the event loop since the last question'),
});
export type Usage = z.output<typeof usageSchema>;

const workSchema = z.object({ workMs: z.number() });

const memorySchema = z.object({
  heldBytes: z.number().describe('after a collection'),
  residentBytes: z.number(),
  peakBytes: z.number().describe('resident, the most so far'),
});
export type Memory = z.output<typeof memorySchema>;

export interface MeasuredGateway {
  url: string;
  /** Where probes of the chart ask. */
  healthUrl: string;
  /** The cookie of a reader who has signed in with the token. */
  cookie: string;
  /** That reader, and three more, each with a token of its own that may do as much. */
  callers: readonly { name: string; token: string; cookie: string }[];
  /** What the process has used so far. */
  usage: () => Promise<Usage>;
  /** What a fixed piece of work takes of it now. */
  work: () => Promise<number>;
  memory: () => Promise<Memory>;
  /** Resolves when it has done what it was asked for: it takes next to nothing between two questions. */
  settled: () => Promise<void>;
}

/** The heap and the memory of a gateway in the chart. Without its second limit, Node 24 takes 144 MiB more. */
const HEAP = ['--max-old-space-size=256', '--max-semi-space-size=16'];
export const CONTAINER_BYTES = 512 * 1_024 ** 2;

const REPORT = 'test/gateway/report-usage.js';
/** Two questions cost about one. */
const IDLE_MS = 4;
const IDLE_TIMES = 2;

const OTHERS = ['second', 'third', 'fourth'];

function toStored(token: string, at: number): object {
  const sha256 = createHash('sha256').update(token).digest('hex');
  const name = ['all', ...OTHERS][at];
  return { name, sha256, scopes: Object.values(Scope), accounts: ['default'], expires: 'never' };
}

/** Runs `use` with a gateway process of its own, whose token `token` may do everything. */
export async function withMeasuredGateway<T>(
  token: string,
  use: (gateway: MeasuredGateway) => Promise<T>,
  namespace = 'default',
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'measured-gateway-'));
  const tokens = join(folder, 'tokens.json');
  const texts = [token, ...OTHERS.map((other) => `${token}-${other}`)];
  await writeFile(tokens, JSON.stringify({ tokens: texts.map(toStored) }));
  const [port, healthPort, usagePort] = [await freePort(), await freePort(), await freePort()];
  const ofNode = [...HEAP, '--expose-gc', '--import', resolve(REPORT)];
  const ports = ['--port', String(port), '--health-port', String(healthPort)];
  const words = ['gateway', '--tokens', tokens, '--rate', '100000', ...ports];
  const { child, exit, says } = startProcess(
    [process.execPath, ...ofNode, resolve('dist/cli/main.js'), ...words],
    {
      TEMPORAL_ADDRESS: process.env['TEMPORAL_ADDRESS'] ?? '',
      TEMPORAL_NAMESPACE: namespace,
      USAGE_PORT: String(usagePort),
    },
  );
  try {
    const url = /http:[^ ]*/.exec(await says('Listening at'))?.[0] ?? '';
    const callers = await Promise.all(
      texts.map(async (text) => ({ name: text, token: text, cookie: await signIn(url, text) })),
    );
    const [{ cookie } = { cookie: '' }] = callers;
    const healthUrl = `http://127.0.0.1:${healthPort}`;
    return await use({ url, healthUrl, cookie, callers, ...reportsAt(usagePort) });
  } finally {
    child.kill('SIGKILL');
    await exit;
    await rm(folder, { recursive: true });
  }
}

function reportsAt(
  port: number,
): Omit<MeasuredGateway, 'url' | 'healthUrl' | 'cookie' | 'callers'> {
  const ask = async (what: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}/${what}`)).json();
  let longestMs = 0;
  const look = async () => {
    const now = usageSchema.parse(await ask('usage'));
    longestMs = Math.max(longestMs, now.pauseMs);
    return now;
  };
  return {
    async usage() {
      const { cpuMs } = await look();
      const pauseMs = longestMs;
      longestMs = 0;
      return { cpuMs, pauseMs };
    },
    work: async () => workSchema.parse(await ask('work')).workMs,
    memory: async () => memorySchema.parse(await ask('memory')),
    async settled() {
      let last = await look();
      let idle = 0;
      await until('the gateway does nothing', async () => {
        const now = await look();
        idle = now.cpuMs - last.cpuMs < IDLE_MS ? idle + 1 : 0;
        last = now;
        return idle === IDLE_TIMES;
      });
    },
  };
}

async function signIn(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}
