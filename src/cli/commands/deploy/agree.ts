import { CliError, ExitCode } from '../../cli-error.js';
import type { Session } from '../../session.js';

/** Says what a command will do, and asks for a yes. @throws CliError when there is none; nothing was changed then */
export async function agree(
  { io, progress }: Session,
  { lines, isAgreed }: { lines: readonly string[]; isAgreed: boolean },
): Promise<void> {
  for (const line of lines) progress.notice(line);
  if (isAgreed) return;
  if (io.ask === undefined) {
    throw new CliError({
      type: 'NotConfirmed',
      message: 'There is no terminal to ask. Nothing was changed.',
      advice: 'Run the command again with --yes.',
      exitCode: ExitCode.badInput,
    });
  }
  const answer = await io.ask('Do it? [y/N] ');
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CliError({
    type: 'NotConfirmed',
    message: 'Nothing was changed.',
    advice: 'Answer y to do it.',
    exitCode: ExitCode.failed,
  });
}
