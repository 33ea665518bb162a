import type { Cli } from '../cli.js';
import { ConfigurationError } from '../../config.js';
import { parseCount, parsePort } from '../input/parse-option.js';
import { readVersion } from '../read-version.js';
import { withGcore } from '../with-gcore.js';

interface GatewayOptions {
  host: string;
  port: number;
  tokens?: string;
  rate: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows gateway
  gcore-workflows gateway --host 0.0.0.0 --port 8080 --tokens tokens.json

A token: openssl rand -hex 32. The file holds only its hash (sha256sum):
  { "tokens": [{ "name": "billing", "sha256": "9f86…", "scopes": ["read", "run"] }] }
docs/http.md says what else a token can have.`;

export function addGateway({ program, services, session }: Cli): void {
  program
    .command('gateway')
    .description('serve the HTTP API until Ctrl-C or SIGTERM; its log goes to stderr')
    .option(
      '--host <HOST>',
      'address to listen on; others than loopback need --tokens',
      '127.0.0.1',
    )
    .option('--port <PORT>', 'port to listen on', parsePort, 8088)
    .option('--tokens <FILE>', 'who may call, as JSON; read again when it changes')
    .option('--rate <N>', 'requests a second that each token may send', parseCount, 100)
    .addHelpText('after', EXAMPLES)
    .action(async ({ host, port, tokens, rate }: GatewayOptions) => {
      const current = session();
      const { io, progress } = current;
      try {
        await services.runGateway({
          withGcore: (use) => withGcore(current, use),
          ...{ host, port, tokens },
          requestsPerSecond: rate,
          version: readVersion(),
          writeLog: (line) => {
            io.stderr.write(`${line}\n`);
          },
          onListening: (url) => {
            progress.notice(`Listening at ${url} (reference: ${url}/reference)`);
          },
          signal: io.interrupted(),
        });
      } catch (error) {
        throw toConfigurationError(error);
      }
    });
}

/** The class is not imported: that would load the gateway for every command. */
function toConfigurationError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'GatewayConfigError') return error;
  const faults: unknown = Reflect.get(error, 'faults');
  return new ConfigurationError(Array.isArray(faults) ? faults.map(String) : [error.message]);
}
