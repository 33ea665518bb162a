import { relative } from 'node:path';

import type { Cli } from '../../cli.js';
import { createHint } from '../../hint.js';
import { openDevGateway, type DevGateway } from '../../dev-gateway.js';
import { FolderInUseError, stopHolder } from '../../../dev/folder-lock.js';
import { PortTakenError } from '../../../dev/temporal-ports.js';
import type { Session } from '../../session.js';
import { CliError, ExitCode } from '../../cli-error.js';
import { faultOption } from '../../input/fault-option.js';
import { EXAMPLE_FILE } from '../../own-package.js';
import { parseCount, parsePort } from '../../input/parse-option.js';
import type { RunningStack, Services } from '../../services.js';
import { waitForAbort } from '../../cli-io.js';
import { runDetached } from './detach.js';
import type { DevOptions } from './dev-options.js';
import { folderFault } from './folder-fault.js';

const FOLDER = '.dev';

export function addDev({ program, services, session }: Cli): void {
  const dev = program
    .command('dev')
    .description('run Temporal, a simulated API, a worker and a gateway here, until Ctrl-C')
    .option('--folder <FOLDER>', 'keeps the state', FOLDER)
    .option('--port <PORT>', 'port of the Temporal server', parsePort, 7233)
    .option('--ui-port <PORT>', 'port of its UI', parsePort, 8233)
    .option('--gateway-port <PORT>', 'port of the pages and the HTTP API', parsePort, 8088)
    .option('--speed <N>', 'speed of the simulated API; 1 is real time', parseCount, 1)
    .addOption(faultOption())
    .option('--detach', 'return when everything is ready; `dev stop` ends it')
    .action((options: DevOptions) =>
      options.detach === true
        ? runDetached(session(), options)
        : runHere(services, session(), options),
    );
  dev
    .command('stop')
    .description('end the dev that uses the folder, and wait until it has ended')
    .action((_options: object, command: { optsWithGlobals: () => DevOptions }) =>
      stopDev(session(), command.optsWithGlobals()),
    );
}

async function runHere(
  services: Services,
  session: Session,
  { folder, port, uiPort, gatewayPort, speed, fault }: DevOptions,
): Promise<void> {
  const { io, progress } = session;
  const stopHint = stopCommand(session, folder);
  const wanted = { speed, faults: fault, folder, port, uiPort, onProgress: progress.notice };
  const stack = await services.startLocalStack(wanted).catch((error: unknown) => {
    if (error instanceof FolderInUseError) throw alreadyRunning(error, stopHint);
    if (error instanceof PortTakenError) throw portTaken(error, port);
    throw folderFault(error, folder);
  });
  const interrupted = io.interrupted();
  const ending = new AbortController();
  const gateway = await openDevGateway(services, {
    stack,
    port: gatewayPort,
    onFault: progress.notice,
    signal: ending.signal,
  });
  try {
    for (const line of describe({ stack, gateway, session, folder })) progress.notice(line);
    io.tellReady?.();
    await Promise.race([waitForAbort(interrupted), stack.stopAsked, stack.stopped]);
    progress.notice('Stopping.');
  } finally {
    ending.abort();
    await gateway.stopped;
    await stack.close();
  }
}

async function stopDev({ progress }: Session, { folder }: DevOptions): Promise<void> {
  const holder = await stopHolder(folder);
  progress.notice(
    holder === undefined ? `Nothing uses the folder ${folder}.` : `Stopped ${holder}.`,
  );
}

/** Without the Temporal server, which it does not need. */
function stopCommand({ io }: Session, folder: string): string {
  return createHint(io, {})('dev', 'stop', ...(folder === FOLDER ? [] : ['--folder', folder]));
}

function alreadyRunning({ message }: FolderInUseError, stopHint: string): CliError {
  return new CliError({
    type: 'AlreadyRunning',
    message,
    advice: `Use that one, end it with "${stopHint}", or start this one with another --folder.`,
    exitCode: ExitCode.failed,
  });
}

function portTaken({ port, message }: PortTakenError, temporalPort: number): CliError {
  const option = port === temporalPort ? '--port' : '--ui-port';
  return new CliError({
    type: 'PortTaken',
    message: `${message}: something else uses it.`,
    advice: `Choose another one with ${option}, or end what uses it.`,
    exitCode: ExitCode.failed,
  });
}

interface Described {
  stack: RunningStack;
  gateway: DevGateway;
  session: Session;
  folder: string;
}

function describe({ stack, gateway: { url }, session, folder }: Described): string[] {
  const { io } = session;
  const { temporal, uiUrl, simulatorUrl, manifestRoot } = stack;
  const address = temporal.connectionOptions.address ?? 'localhost:7233';
  const hint = createHint(io, { address, namespace: temporal.namespace ?? 'default' });
  const stops =
    io.tellReady === undefined ? 'Ctrl-C stops.' : `Stop it: ${stopCommand(session, folder)}.`;
  return [
    `Ready: Temporal at ${address}, the simulated API at ${simulatorUrl}`,
    ...(uiUrl === undefined ? [] : [`Temporal UI: ${uiUrl}`]),
    ...(url === undefined ? [] : [`Pages of runs: ${url}/runs (HTTP API: ${url}/reference)`]),
    'Start a run from a second terminal:',
    `  ${hint('provision', '--file', relative('.', EXAMPLE_FILE))}`,
    'The simulated API has SFTP storage 7, SSH keys (ingest, audit, backup) and KV store 17.',
    `Its faults: curl -X PUT ${simulatorUrl}/simulator/faults/lost-create (a GET of /simulator/faults lists them)`,
    `Secrets that inputs name are files in ${folder}/secrets. Manifests with "file:" are below ${manifestRoot}.`,
    `${stops} The folder ${folder} keeps the state.`,
  ];
}
