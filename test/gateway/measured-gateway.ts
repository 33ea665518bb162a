import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { Scope } from '../../src/tokens/token-file.js';
import { until } from '../support/timing/until.js';
import { freePort } from '../../src/dev/temporal-ports.js';
import { startProcess } from '../support/workers/worker-process.js';

const usageSchema = z.object({
  cpuMs: z.number(),
  workMs: z.number().describe('of a fixed piece of work'),
  afterMs: z.number().describe('with that work and the report itself'),
  heldBytes: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

export interface MeasuredGateway {
  url: string;
  /** What the process has used so far. */
  usage: () => Promise<Usage>;
}

/** Runs `use` with a gateway process of its own, whose token `token` may do everything. */
export async function withMeasuredGateway(
  token: string,
  use: (gateway: MeasuredGateway) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'prices-'));
  const tokens = join(folder, 'tokens.json');
  const sha256 = createHash('sha256').update(token).digest('hex');
  const scopes = Object.values(Scope);
  const stored = { name: 'all', sha256, scopes, accounts: ['default'], expires: 'never' };
  await writeFile(tokens, JSON.stringify({ tokens: [stored] }));
  const words = ['gateway', '--tokens', tokens, '--rate', '100000'];
  const { child, lines, exit, says } = startProcess(
    [
      ...([process.execPath, '--expose-gc', '--import', resolve(REPORT)] as const),
      ...[resolve('dist/cli/main.js'), ...words, '--port', String(await freePort())],
    ],
    { TEMPORAL_ADDRESS: process.env['TEMPORAL_ADDRESS'] ?? '' },
  );
  try {
    const url = /http:[^ ]*/.exec(await says('Listening at'))?.[0] ?? '';
    const reports = () => lines.filter((line) => line.startsWith('usage '));
    await use({
      url,
      async usage() {
        const before = reports().length;
        child.kill('SIGUSR2');
        await until('the gateway reports', () => reports().length > before);
        const json: unknown = JSON.parse(reports().at(-1)?.replace('usage ', '') ?? '');
        return usageSchema.parse(json);
      },
    });
  } finally {
    child.kill('SIGKILL');
    await exit;
    await rm(folder, { recursive: true });
  }
}

const REPORT = 'test/gateway/report-usage.js';
