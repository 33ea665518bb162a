import { plural } from '../../engine/core/plural.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';

const SHOWN = 50;

/** Shows the runs and asks for a yes. @throws CliError when there is none; nothing was changed then */
export async function confirm(
  { io, progress }: Session,
  { verb, lines, isAgreed }: { verb: string; lines: readonly string[]; isAgreed: boolean },
): Promise<void> {
  const runs = plural(lines.length, 'run');
  for (const line of lines.slice(0, SHOWN)) progress.notice(line);
  if (lines.length > SHOWN) progress.notice(`… and ${lines.length - SHOWN} more`);
  if (isAgreed) return;
  if (io.ask === undefined) {
    throw new CliError({
      type: 'NotConfirmed',
      message: `This is about ${runs}, and there is no terminal to ask. Nothing was changed.`,
      advice: `Look at the list, then run the command again with --yes.`,
      exitCode: ExitCode.badInput,
    });
  }
  const answer = await io.ask(`${capitalized(verb)} ${runs}? [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CliError({
    type: 'NotConfirmed',
    message: `${runs} would have been asked. Nothing was changed.`,
    advice: 'Answer y to do it.',
    exitCode: ExitCode.failed,
  });
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
