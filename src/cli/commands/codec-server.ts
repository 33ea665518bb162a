import type { Cli } from '../cli.js';
import { ConfigurationError } from '../../config.js';
import { parseCount, parseOrigin, parsePort, parsePublicUrl } from '../input/parse-option.js';
import { gatewayFault } from '../output/gateway-fault.js';
import type { Services } from '../services.js';
import type { Session } from '../session.js';

interface CodecServerOptions {
  host: string;
  port: number;
  tokens?: string;
  publicUrl?: string;
  trustProxy?: true;
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
  program
    .command('codec-server')
    .description('decrypt payloads for the Temporal UI and CLI until Ctrl-C or SIGTERM')
    .option(
      '--host <HOST>',
      'address to listen on; others than loopback need --tokens',
      '127.0.0.1',
    )
    .option('--port <PORT>', 'port to listen on', parsePort, 8089)
    .option('--tokens <FILE>', 'who may call, as JSON; read again when it changes')
    .option(
      '--public-url <URL>',
      'where browsers reach it, if behind a proxy: decides cookies and whose forms it takes',
      parsePublicUrl,
    )
    .option('--trust-proxy', 'the last address of X-Forwarded-For is the caller: a proxy adds it')
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
  { host, port, tokens, publicUrl, trustProxy, rate, uiOrigin }: CodecServerOptions,
  { io, progress, codecKeys }: Session,
): Parameters<Services['runCodecServer']>[0] {
  const keys = codecKeys();
  if (keys === undefined) throw new ConfigurationError([NO_KEYS]);
  return {
    ...{ host, port, tokens, keys, publicOrigin: publicUrl, trustsProxy: trustProxy },
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
