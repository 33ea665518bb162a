import type { Command } from 'commander';

import { plural } from '../../../engine/core/text.js';
import { CliError, ExitCode } from '../../cli-error.js';
import { parseCount } from '../../input/parse-option.js';
import { align } from '../../output/align.js';
import type { ReplayReport, Services } from '../../services.js';
import type { Session } from '../../session.js';
import { withGcore } from '../../with-gcore.js';

interface CheckOptions {
  limit: number;
  query?: string;
}

const EXAMPLES = `
Examples:
  gcore-workflows deploy check
  gcore-workflows deploy check --limit 1000 --query "WorkflowType = 'protectIp'"

Run it with the new version, against the server of the old one, before any of its
workers starts, and with the key ring of the workers (GCORE_CODEC_KEYS_FILE). It reads histories, replays them here, and changes nothing. The
newest runs of each kind come first. The exit code is 1 when one does not replay:
the new version would not be able to go on with it. It is 1 too when one cannot be
decrypted here.`;

const DEFAULT_LIMIT = 200;

export function addCheck(deploy: Command, session: () => Session, services: Services): void {
  deploy
    .command('check')
    .description('replay the open runs of this server with the code of this command')
    .option('--limit <N>', 'at most so many runs', parseCount, DEFAULT_LIMIT)
    .option('--query <FILTER>', 'only open runs of this list filter of Temporal')
    .addHelpText('after', EXAMPLES)
    .action(async ({ limit, query }: CheckOptions) => {
      const current = session();
      // The replayer waits for a server for ever; a client says what is wrong with it.
      const report = await withGcore(current, () =>
        services.replayOpenRuns({
          temporal: current.temporal(),
          codecKeys: current.codecKeys(),
          limit,
          query,
          onProgress: (done) => {
            current.progress.notice(`${plural(done, 'run')} replayed …`);
          },
        }),
      );
      current.print(report, render(report));
      if (report.broken.length > 0) throw broken(report);
      if (report.unreadable.length > 0) throw unreadable(report);
    });
}

function render(report: ReplayReport): string[] {
  const { build, open, replayed, broken: failed, unreadable: locked, skipped } = report;
  const of = open > replayed ? ` of ${open}` : '';
  return [
    `build ${build ?? 'unknown'}: ${replayed}${of} open runs replayed, ${failed.length} do not replay`,
    ...(locked.length > 0 ? [`${plural(locked.length, 'run')} could not be decrypted`] : []),
    ...(skipped > 0 ? [`${plural(skipped, 'run')} ended meanwhile or had too long a history`] : []),
    ...align([...failed, ...locked].map(({ workflowId, reason }) => [workflowId, reason])),
  ];
}

function broken({ broken: failed, replayed }: ReplayReport): CliError {
  return new CliError({
    type: 'DoesNotReplay',
    message: `${failed.length} of ${plural(replayed, 'open run')} do not replay with this version.`,
    advice:
      'Do not move them to it: with versioned workers they stay at their version; without, keep the old workers until these runs have ended. Report it.',
    exitCode: ExitCode.failed,
  });
}

/** Nothing is known about these runs, so the check is no yes. */
function unreadable({ unreadable: locked, replayed }: ReplayReport): CliError {
  return new CliError({
    type: 'DecryptionFailed',
    message: `${locked.length} of ${plural(replayed, 'open run')} could not be decrypted here, so nobody knows whether they replay.`,
    advice: 'Set GCORE_CODEC_KEYS_FILE to the key ring of the workers, and run it again.',
    exitCode: ExitCode.failed,
  });
}
