import { loadTraceSettings } from '../../config.js';
import type { Cli } from '../cli.js';
import { parseCount, parsePort, parsePublicUrl, parseWebAddress } from '../input/parse-option.js';
import { gatewayFault } from '../output/gateway-fault.js';
import { readOwnPackage } from '../own-package.js';
import type { Services } from '../services.js';
import type { Session } from '../session.js';
import { temporalUrlOf } from '../temporal-url.js';
import { withGcore } from '../with-gcore.js';

interface GatewayOptions {
  host: string;
  port: number;
  tokens?: string;
  publicUrl?: string;
  trustProxy?: true;
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
  program
    .command('gateway')
    .description(
      'serve the HTTP API and pages of runs until Ctrl-C or SIGTERM; its log goes to stderr',
    )
    .option(
      '--host <HOST>',
      'address to listen on; others than loopback need --tokens',
      '127.0.0.1',
    )
    .option('--port <PORT>', 'port to listen on', parsePort, 8088)
    .option('--tokens <FILE>', 'who may call, as JSON; read again when it changes')
    .option(
      '--public-url <URL>',
      'where browsers reach it, if behind a proxy: decides cookies and whose forms it takes',
      parsePublicUrl,
    )
    .option('--trust-proxy', 'the last address of X-Forwarded-For is the caller: a proxy adds it')
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
  { host, port, tokens, publicUrl, trustProxy, rate, ui }: GatewayOptions,
  session: Session,
): Parameters<Services['runGateway']>[0] {
  const { io, progress } = session;
  return {
    withGcore: (use, connect) => withGcore(session, use, connect),
    traces: loadTraceSettings(),
    ...{ host, port, tokens, publicOrigin: publicUrl, trustsProxy: trustProxy },
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
