import { InvalidArgumentError, type Command } from 'commander';

import { ConfigurationError } from '../../../config.js';
import { waitForAbort } from '../../cli-io.js';
import type { Cli } from '../../cli.js';
import { parseCount, parsePort } from '../../input/parse-option.js';
import type { Session } from '../../session.js';
import { readSecrets, createReceiver, type WebhookRequest } from './receive-webhook.js';
import { serveWebhooks } from './serve-webhooks.js';
import { addResend } from './resend.js';
import { addTrigger } from './trigger.js';

export function addWebhook({ program, session }: Cli): void {
  const webhook = program
    .command('webhook')
    .description('try out the webhooks of runs, and send some again: listen, trigger, resend');
  addListen(webhook, session);
  addTrigger(webhook, session);
  addResend(webhook, session);
}

interface ListenOptions {
  host: string;
  port: number;
  secretFile: string;
  answer: number;
  count?: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows webhook listen --secret-file secrets/orders | jq .type
  gcore-workflows webhook listen --secret-file secrets/orders --answer 503
  gcore-workflows webhook listen --secret-file secrets/orders --count 1

FILE is the one that the worker signs with: a line "whsec_…", or two during a
rotation. It is read again for each webhook. Every path takes webhooks. stdout
gets one JSON object a line for each event, {"id", "type", "timestamp", "data"};
stderr says why others were refused. The worker must have the host and port
among its "privateHosts".`;

function addListen(webhook: Command, session: () => Session): void {
  webhook
    .command('listen')
    .description('print webhooks with a right signature until Ctrl-C or SIGTERM')
    .requiredOption('--secret-file <FILE>', 'file with the signing secret')
    .option('--host <HOST>', 'address to listen on', '127.0.0.1')
    .option('--port <PORT>', 'port to listen on; 0 is any free one', parseListenPort, 8787)
    .option(
      '--answer <STATUS>',
      'answer to right ones; 503 makes them come again',
      parseStatus,
      204,
    )
    .option('--count <N>', 'end after so many events; repeats do not count', parseCount)
    .addHelpText('after', EXAMPLES)
    .action((options: ListenOptions) => listen(options, session()));
}

async function listen(
  { host, port, secretFile, answer, count }: ListenOptions,
  { io, progress }: Session,
): Promise<void> {
  const secrets = await readSecrets(secretFile);
  if (!secrets.ok) throw new ConfigurationError([`--secret-file ${secretFile}: ${secrets.fault}`]);
  const interrupted = io.interrupted();
  const done = new AbortController();
  const receive = createReceiver({ secretFile, answer });
  let printed = 0;
  const handle = async (request: WebhookRequest): Promise<number> => {
    const receipt = await receive(request);
    if ('notice' in receipt) progress.notice(receipt.notice);
    else {
      // It has come while the last one is being answered. Its sender will try again.
      if (printed === count) return 503;
      printed += 1;
      const { id, body } = receipt.event;
      io.stdout.write(`${JSON.stringify({ id, ...body })}\n`);
      if (printed === count) done.abort();
    }
    return receipt.status;
  };
  const server = await serveWebhooks({ host, port }, handle);
  progress.notice(`Listening at ${server.url}. Ctrl-C stops.`);
  await waitForAbort(AbortSignal.any([interrupted, io.unread, done.signal]));
  await server.close();
}

/** `--port 0` is for tests and scripts, which read the port from stderr. */
function parseListenPort(text: string): number {
  return text === '0' ? 0 : parsePort(text);
}

/** `--answer 503` */
function parseStatus(text: string): number {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a status of HTTP: a number from 200 to 599.');
}
