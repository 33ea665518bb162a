import { relative } from 'node:path';

import type { Cli } from '../cli.js';
import { openDevGateway, type DevGateway } from '../dev-gateway.js';
import { FolderInUseError } from '../../dev/folder-lock.js';
import type { Session } from '../session.js';
import { CliError, ExitCode } from '../cli-error.js';
import { faultOption } from '../input/fault-option.js';
import { EXAMPLE_FILE } from '../input/read-input.js';
import { parseCount, parsePort } from '../input/parse-option.js';
import type { RunningStack, Services } from '../services.js';
import type { FaultName } from '../../simulator/faults/named-faults.js';
import { waitForAbort } from '../cli-io.js';

const FOLDER = '.dev';

interface DevOptions {
  port: number;
  uiPort: number;
  gatewayPort: number;
  speed: number;
  fault: FaultName[];
}

export function addDev({ program, services, session }: Cli): void {
  program
    .command('dev')
    .description('run Temporal, a simulated API, a worker and a gateway here, until Ctrl-C')
    .option('--port <PORT>', 'port of the Temporal server', parsePort, 7233)
    .option('--ui-port <PORT>', 'port of its UI', parsePort, 8233)
    .option('--gateway-port <PORT>', 'port of the pages and the HTTP API', parsePort, 8088)
    .option('--speed <N>', 'speed of the simulated API; 1 is real time', parseCount, 1)
    .addOption(faultOption())
    .action(async ({ port, uiPort, gatewayPort, speed, fault }: DevOptions) => {
      const current = session();
      const { progress } = current;
      const stack = await startStack(services, {
        speed,
        faults: fault,
        folder: FOLDER,
        port,
        uiPort,
        onProgress: progress.notice,
      });
      const interrupted = current.io.interrupted();
      const ending = new AbortController();
      const gateway = await openDevGateway(services, {
        stack,
        port: gatewayPort,
        onFault: progress.notice,
        signal: ending.signal,
      });
      try {
        for (const line of describe(stack, gateway, current)) progress.notice(line);
        await Promise.race([waitForAbort(interrupted), stack.stopped]);
        progress.notice('Stopping.');
      } finally {
        ending.abort();
        await gateway.stopped;
        await stack.close();
      }
    });
}

async function startStack(
  services: Services,
  options: Parameters<Services['startLocalStack']>[0],
): Promise<RunningStack> {
  try {
    return await services.startLocalStack(options);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new CliError({
      type: 'AlreadyRunning',
      message: error.message,
      advice: 'Use that one, stop it with Ctrl-C in its terminal, or start this one elsewhere.',
      exitCode: ExitCode.failed,
    });
  }
}

function describe(stack: RunningStack, { url }: DevGateway, { io }: Session): string[] {
  const { temporal, uiUrl, simulatorUrl } = stack;
  const address = temporal.connectionOptions.address ?? 'localhost:7233';
  const server = `--address ${address} --namespace ${temporal.namespace ?? 'default'}`;
  const file = relative('.', EXAMPLE_FILE);
  return [
    `Ready: Temporal at ${address}, the simulated API at ${simulatorUrl}`,
    ...(uiUrl === undefined ? [] : [`Temporal UI: ${uiUrl}`]),
    ...(url === undefined ? [] : [`Pages of runs: ${url}/runs (HTTP API: ${url}/reference)`]),
    'Start a run from a second terminal:',
    `  ${io.programName} provision --file ${file} ${server}`,
    'The simulated API has SFTP storage 7, SSH keys (ingest, audit, backup) and KV store 17.',
    `Secrets that inputs name are files in ${FOLDER}/secrets.`,
    `Ctrl-C stops. The folder ${FOLDER} keeps the state.`,
  ];
}
