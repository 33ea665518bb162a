import type { Cli } from '../cli.js';
import { ConfigurationError } from '../../config.js';
import { parseCount, parseOrigin } from '../input/parse-option.js';
import {
  addServedOptions,
  toServed,
  gatewayFault,
  type ServedOptions,
} from '../input/served-options.js';
import type { Services } from '../services.js';
import type { Session } from '../session.js';

interface CodecServerOptions extends ServedOptions {
  uiOrigin: string[];
  rate: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows codec-server --ui-origin http://localhost:8233
  gcore-workflows codec-server --host 0.0.0.0 --tokens tokens.json --ui-origin https://temporal.example.com
  temporal workflow show --codec-endpoint http://localhost:8089 --workflow-id ID

The keys come from GCORE_CODEC_KEYS_FILE or GCORE_CODEC_KEYS. A token needs the
scope "codec". With tokens, a person signs in once at /sign-in of this server.
docs/secure.md says how to set up the UI.`;

export function addCodecServer({ program, services, session }: Cli): void {
  const command = program
    .command('codec-server')
    .description('decrypt payloads for the Temporal UI and CLI until Ctrl-C or SIGTERM');
  addServedOptions(command, 8089)
    .option('--ui-origin <ORIGIN>', 'origin of the Temporal UI; may be repeated', parseOrigin, [])
    .option('--rate <N>', 'requests a second that each token may send', parseCount, 500)
    .addHelpText('after', EXAMPLES)
    .action(async (options: CodecServerOptions) => {
      try {
        await services.runCodecServer(toService(options, session()));
      } catch (error) {
        throw gatewayFault(error);
      }
    });
}

const NO_KEYS =
  'GCORE_CODEC_KEYS_FILE: is missing; set it to the key ring of the workers, or set GCORE_CODEC_KEYS';

function toService(
  { rate, uiOrigin, ...served }: CodecServerOptions,
  { io, progress, codecKeys }: Session,
): Parameters<Services['runCodecServer']>[0] {
  const keys = codecKeys();
  if (keys === undefined) throw new ConfigurationError([NO_KEYS]);
  return {
    ...toServed(served),
    keys,
    uiOrigins: uiOrigin,
    requestsPerSecond: rate,
    writeLog: (line) => {
      io.stderr.write(`${line}\n`);
    },
    onListening: (url) => {
      progress.notice(`Listening at ${url} (sign-in: ${url}/sign-in)`);
    },
    signal: io.interrupted(),
  };
}
