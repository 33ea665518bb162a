import { randomUUID } from 'node:crypto';

import { Argument, type Command } from 'commander';

import { ConfigurationError } from '../../../config.js';
import { signedHeaders } from '../../../engine/activities/webhooks/signed-headers.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../engine/core/status.js';
import { CliError, ExitCode } from '../../cli-error.js';
import { parseWebAddress } from '../../input/parse-option.js';
import { withCause } from '../../output/error-text.js';
import type { Session } from '../../session.js';
import { exampleEvent } from './example-events.js';
import { readSecrets } from './receive-webhook.js';

/** As long as a worker waits for an answer. */
const ANSWER_WITHIN_MS = 15_000;

interface TriggerOptions {
  secretFile: string;
  url: string;
}

const EXAMPLES = `
Examples:
  gcore-workflows webhook trigger run.blocked --secret-file secrets/orders --url http://127.0.0.1:8080/hooks
  gcore-workflows webhook trigger --secret-file secrets/orders

Without a type it sends one of each. stdout gets one JSON object a line for each
event, {"id", "type", "status"}. The events are examples: no run is behind them.`;

export function addTrigger(webhook: Command, session: () => Session): void {
  webhook
    .command('trigger')
    .description('send signed examples of events to a receiver; needs no run and no server')
    .addArgument(new Argument('[TYPE]', 'type of the event').choices(WEBHOOK_EVENT_TYPES))
    .requiredOption('--secret-file <FILE>', 'file with the signing secret')
    .option('--url <URL>', 'the receiver', parseWebAddress, 'http://127.0.0.1:8787/')
    .addHelpText('after', EXAMPLES)
    .action((type: WebhookEventType | undefined, options: TriggerOptions) =>
      trigger(type === undefined ? WEBHOOK_EVENT_TYPES : [type], options, session()),
    );
}

async function trigger(
  types: readonly WebhookEventType[],
  { secretFile, url }: TriggerOptions,
  { io }: Session,
): Promise<void> {
  const read = await readSecrets(secretFile);
  if (!read.ok) throw new ConfigurationError([`--secret-file ${secretFile}: ${read.fault}`]);
  const statuses: number[] = [];
  for (const type of types) {
    const id = `msg_${randomUUID()}`;
    const sentAt = new Date(io.clock.now());
    const body = JSON.stringify(exampleEvent(type, sentAt.toISOString()));
    const status = await post(url, body, signedHeaders(read.secrets, { id, sentAt, body }));
    io.stdout.write(`${JSON.stringify({ id, type, status })}\n`);
    statuses.push(status);
  }
  const refused = statuses.filter((status) => status < 200 || status > 299);
  if (refused.length > 0) throw notTaken(refused, types.length);
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'manual' });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    throw new CliError({
      type: 'NoAnswer',
      message: `The receiver does not answer: ${withCause(error)}`,
      advice: 'Start it, or name another one with --url.',
      exitCode: ExitCode.failed,
    });
  }
}

function notTaken(statuses: readonly number[], sent: number): CliError {
  const answers = [...new Set(statuses)].join(', ');
  return new CliError({
    type: 'NotTaken',
    message: `The receiver did not take ${statuses.length} of ${sent} events: it answered ${answers}.`,
    advice:
      'It must answer 2xx. When it found the signature wrong, give it the secret of --secret-file.',
    exitCode: ExitCode.failed,
  });
}
