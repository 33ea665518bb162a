import { loadTraceSettings } from '../../config.js';
import type { Cli } from '../cli.js';
import { parseCount, parseWebAddress } from '../input/parse-option.js';
import {
  addServedOptions,
  toServed,
  gatewayFault,
  type ServedOptions,
} from '../input/served-options.js';
import { readOwnPackage } from '../own-package.js';
import type { Services } from '../services.js';
import type { Session } from '../session.js';
import { temporalUrlOf } from '../dev-gateway.js';
import { withGcore } from '../with-gcore.js';

interface GatewayOptions extends ServedOptions {
  rate: number;
  ui?: string;
}

const EXAMPLES = `
Examples:
  gcore-workflows gateway
  gcore-workflows gateway --host 0.0.0.0 --port 8080 --tokens tokens.json
  gcore-workflows gateway --host 0.0.0.0 --tokens tokens.json --public-url https://runs.example.com

A token: gcore-workflows token new billing --tokens tokens.json --scopes read,run
docs/http.md says what else a token can have.`;

export function addGateway({ program, services, session }: Cli): void {
  const command = program
    .command('gateway')
    .description(
      'serve the HTTP API and pages of runs until Ctrl-C or SIGTERM; its log goes to stderr',
    );
  addServedOptions(command, 8088)
    .option('--ui <URL>', 'address of the Temporal UI, for links on pages', parseWebAddress)
    .option('--rate <N>', 'requests a second that each token may send', parseCount, 100)
    .addHelpText('after', EXAMPLES)
    .action(async (options: GatewayOptions) => {
      try {
        await services.runGateway(toService(options, session()));
      } catch (error) {
        throw gatewayFault(error);
      }
    });
}

function toService(
  { rate, ui, ...served }: GatewayOptions,
  session: Session,
): Parameters<Services['runGateway']>[0] {
  const { io, progress } = session;
  return {
    withGcore: (use, connect) => withGcore(session, use, connect),
    traces: loadTraceSettings(),
    ...toServed(served),
    requestsPerSecond: rate,
    version: readOwnPackage().version,
    ...(ui !== undefined && { temporalUrl: temporalUrlOf(ui, session.temporal().namespace) }),
    writeLog: (line) => {
      io.stderr.write(`${line}\n`);
    },
    onListening: (url) => {
      progress.notice(`Listening at ${url} (pages: ${url}/runs, reference: ${url}/reference)`);
    },
    signal: io.interrupted(),
  };
}
