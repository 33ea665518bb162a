import type { Command } from 'commander';

import { plural } from '../../../engine/core/text.js';
import type { Session } from '../../session.js';
import { withRun } from '../../with-run.js';

const EXAMPLES = `
Examples:
  gcore-workflows webhook resend order-4711
  gcore-workflows webhook resend order-4711 msg_6f0c4a52-1b5e-4d0c-8f0e-3b1d0a9be2f7

Without ids it sends what was given up; with ids, these events to everybody who has
asked for them. A receiver that has taken one sees its id again. stdout gets one JSON
object a line for each event, {"id", "type", "sequence", "hosts"}. A worker sends
them: \`status\` of the run says what became of them.`;

export function addResend(webhook: Command, session: () => Session): void {
  webhook
    .command('resend')
    .description('send webhooks of a run again, under the ids that they had')
    .argument('<RUN>', 'request id or Workflow Id of the run')
    .argument('[EVENT...]', 'ids of events; default: those that were given up')
    .addHelpText('after', EXAMPLES)
    .action((run: string, events: string[]) => resend(session(), run, events));
}

async function resend(session: Session, run: string, events: readonly string[]): Promise<void> {
  const { io, progress } = session;
  const named = events.length > 0 ? events : undefined;
  const resent = await withRun(session, run, (gcore, workflowId) =>
    gcore.resendWebhooks(workflowId, named),
  );
  for (const event of resent) io.stdout.write(`${JSON.stringify(event)}\n`);
  progress.notice(
    resent.length === 0
      ? 'No webhook of this run was given up.'
      : `${plural(resent.length, 'webhook')} handed over again.`,
  );
}
