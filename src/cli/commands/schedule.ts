import { Option, type Command } from 'commander';

import type { TriggeredRun } from '../../client/index.js';
import { checkSchedule } from '../../client/schedules/check-schedule.js';
import { clockChanges, type ClockChange } from '../../client/schedules/clock-changes.js';
import {
  DEFAULT_CATCH_UP,
  DEFAULT_OVERLAP,
  OVERLAPS,
  type Overlap,
} from '../../client/schedules/schedule-policies.js';
import { describeTiming, type Timing } from '../../client/schedules/schedule-timing.js';
import { Urgency, type Operation } from '../../contract/index.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Cli } from '../cli.js';
import { operationArgument } from '../input/parse-option.js';
import { onlyFile, readInput } from '../input/read-input.js';
import { renderSchedule, renderSchedules } from '../output/render-schedule.js';
import type { Session } from '../session.js';
import { withGcore } from '../with-gcore.js';

export function addSchedule({ program, session }: Cli): void {
  const schedule = program
    .command('schedule')
    .description('start runs at given times: create, list, show, pause, …');
  addCreate(schedule, session);
  addLooks(schedule, session);
  addChanges(schedule, session);
}

interface CreateOptions {
  file?: string;
  every?: string;
  at?: string[];
  cron?: string;
  zone?: string;
  overlap: Overlap;
  catchUp: string;
  urgency?: Urgency;
  paused?: true;
}

const EXAMPLES = `
Examples:
  gcore-workflows schedule create nightly-kv modifyKvStore refresh.json \\
    --at 04:30 --zone Europe/Berlin --overlap skip --catch-up '6 hours'
  gcore-workflows schedule create keys listSshKeys keys.json --every 6h
  gcore-workflows schedule create workdays modifyKvStore refresh.json \\
    --cron '30 4 * * 1-5' --zone Europe/Berlin

--overlap says what happens when a run is due and the last one is still open:
  skip      the new one is left out
  wait      it starts when the open one has ended; of several that are due, one
  wait-all  each that was due starts, one after the other
  cancel    the open one is cancelled, undoes its work, then the new one starts
  allow     it starts beside the open one; runs on one resource take turns

--catch-up: when the Temporal server was away, a run may start that late; none
leaves it out. Repeating the command with the same content changes nothing.`;

function addCreate(schedule: Command, session: () => Session): void {
  schedule
    .command('create')
    .description('start runs of an operation at given times')
    .argument('<ID>', 'name of the schedule')
    .addArgument(operationArgument())
    .argument('[FILE]', 'input of the operation as JSON; - is stdin')
    .option('-f, --file <FILE>', 'the same as FILE')
    .option('--every <TIME>', 'a time span such as 6h, counted in UTC')
    .option('--at <HH:MM>', 'time of every day; repeatable', addTime)
    .option('--cron <FIELDS>', 'minute, hour, day of the month, month, day of the week')
    .option('--zone <NAME>', 'time zone of --at and --cron; default: UTC')
    .addOption(anyOf('--overlap <RULE>', 'when a run is still open', Object.keys(OVERLAPS)))
    .option('--catch-up <TIME>', 'how late a run may start, or none', DEFAULT_CATCH_UP)
    .addOption(anyOf('--urgency <LEVEL>', 'which calls go out first', Object.keys(Urgency)))
    .option('--paused', 'start nothing until it is resumed')
    .addHelpText('after', EXAMPLES)
    .action(async (...args: [string, Operation, string | undefined, CreateOptions]) => {
      const [scheduleId, operation, named, { file, ...options }] = args;
      const current = session();
      const usage = 'schedule create ID OPERATION FILE';
      const json = await readInput(onlyFile(named, file, usage), current.io);
      await create(current, operation, { scheduleId, ...options, input: json });
    });
}

/** The client checks the words, so that one answer names every fault. The help shows them. */
function anyOf(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description).choices(words).argParser((text) => text);
  return flags.startsWith('--overlap') ? option.default(DEFAULT_OVERLAP) : option;
}

function addTime(time: string, before: string[] = []): string[] {
  return [...before, time];
}

interface Wanted extends Omit<CreateOptions, 'file'> {
  scheduleId: string;
  input: unknown;
}

async function create(session: Session, operation: Operation, wanted: Wanted): Promise<void> {
  // Every fault before the connection.
  const { timing, input } = checkSchedule(operation, wanted);
  const { io, progress, hint } = session;
  for (const line of clockNotices(timing, io.clock.now())) progress.notice(line);
  const made = await withGcore(session, (gcore) =>
    gcore.schedules.create(operation, { ...wanted, input }),
  );
  const { scheduleId, outcome } = made;
  progress.notice(
    outcome === 'created'
      ? `Created: ${describeTiming(timing)}. Each run is a request of its own, ${scheduleId}-<time>.`
      : 'This schedule exists with the same content. Nothing was changed.',
  );
  progress.notice(`See its next times and last runs: ${hint('schedule', 'show', scheduleId)}`);
  session.print(made, [scheduleId]);
}

/** Temporal goes by the clock on the wall: nobody should learn that on the night itself. */
function clockNotices(timing: Timing, now: number): string[] {
  if (!('at' in timing)) return [];
  return clockChanges(timing, now).map((change) => describeChange(change, timing.zone));
}

function describeChange({ date, time, effect }: ClockChange, zone: string): string {
  return effect === 'missing'
    ? `On ${date} the clock of ${zone} has no ${time}: no run starts for it. Choose another time if that matters.`
    : `On ${date} the clock of ${zone} has ${time} twice: a run starts for each.`;
}

function addLooks(schedule: Command, session: () => Session): void {
  schedule
    .command('list')
    .description('list the schedules')
    .action(async () => {
      const current = session();
      const schedules = await withGcore(current, (gcore) => gcore.schedules.list());
      current.print(schedules, renderSchedules(schedules));
    });
  schedule
    .command('show')
    .description('show the next times, the last runs and what was left out')
    .argument(...SCHEDULE_ID)
    .action(async (id: string) => {
      const current = session();
      const view = await withGcore(current, (gcore) => gcore.schedules.show(id));
      current.print(view, renderSchedule(view, current.io.clock.now()));
    });
}

/** The commands that change a schedule: each prints its id when it is done. */
function addChanges(schedule: Command, session: () => Session): void {
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

/** The argument of every command for one schedule. */
const SCHEDULE_ID = ['<ID>', 'name of the schedule'] as const;
