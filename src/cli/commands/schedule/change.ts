import type { Command } from 'commander';

import type { TriggeredRun } from '../../../client/index.js';
import { CliError } from '../../cli-error.js';
import { ExitCode } from '../../exit-code.js';
import type { Session } from '../../session.js';
import { withGcore } from '../../with-gcore.js';
import { SCHEDULE_ID } from './schedule-id.js';

/** The commands that change a schedule: each prints its id when it is done. */
export function addChanges(schedule: Command, session: () => Session): void {
  schedule
    .command('pause')
    .description('start nothing until it is resumed; open runs continue')
    .argument(...SCHEDULE_ID)
    .option('--reason <TEXT>', 'shown by `schedule show`')
    .action(async (id: string, { reason }: { reason?: string }) => {
      const current = session();
      await withGcore(current, (gcore) => gcore.schedules.pause(id, reason));
      current.progress.notice('Paused: it starts nothing. Open runs continue.');
      current.print({ scheduleId: id }, [id]);
    });
  schedule
    .command('resume')
    .alias('unpause')
    .description('let a paused schedule start runs again')
    .argument(...SCHEDULE_ID)
    .action(async (id: string) => {
      const current = session();
      await withGcore(current, (gcore) => gcore.schedules.resume(id));
      current.progress.notice('Resumed. What was due while it was paused does not start.');
      current.print({ scheduleId: id }, [id]);
    });
  schedule
    .command('delete')
    .description('remove a schedule; open runs continue')
    .argument(...SCHEDULE_ID)
    .action(async (id: string) => {
      const current = session();
      await withGcore(current, (gcore) => gcore.schedules.delete(id));
      current.progress.notice('Deleted: it starts nothing more. Open runs continue.');
      current.print({ scheduleId: id }, [id]);
    });
  addTrigger(schedule, session);
}

function addTrigger(schedule: Command, session: () => Session): void {
  schedule
    .command('trigger')
    .description('start a run of the schedule now, also while it is paused')
    .argument(...SCHEDULE_ID)
    .action(async (id: string) => {
      const current = session();
      const run = await withGcore(current, (gcore) => gcore.schedules.trigger(id));
      const { outcome, workflowId } = run;
      if (outcome === 'skipped' || outcome === 'unseen') throw notStarted(current, id, outcome);
      if (outcome === 'waiting') {
        current.progress.notice('A run is open: the new one starts when that one has ended.');
      } else if (workflowId !== undefined) {
        current.progress.notice(`Started. Follow it: ${current.hint('watch', workflowId)}`);
      }
      current.print(run, [workflowId ?? 'waiting']);
    });
}

const NOT_STARTED: Record<'skipped' | 'unseen', string> = {
  skipped: 'A run of this schedule is open, and the schedule leaves out what is due meanwhile.',
  unseen: 'The Temporal server has not shown in time what became of the trigger.',
};

function notStarted(
  { hint }: Session,
  id: string,
  outcome: TriggeredRun['outcome'] & ('skipped' | 'unseen'),
): CliError {
  return new CliError({
    type: outcome === 'skipped' ? 'Skipped' : 'NoAnswer',
    message: NOT_STARTED[outcome],
    advice: `See its runs: ${hint('schedule', 'show', id)}`,
    exitCode: ExitCode.failed,
  });
}
