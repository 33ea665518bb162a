import { Option, type Command } from 'commander';

import { checkSchedule } from '../../../client/schedules/check-schedule.js';
import { clockChanges, type ClockChange } from '../../../client/schedules/clock-changes.js';
import {
  DEFAULT_CATCH_UP,
  DEFAULT_OVERLAP,
  OVERLAPS,
  type Overlap,
} from '../../../client/schedules/schedule-policies.js';
import { describeTiming, type Timing } from '../../../client/schedules/schedule-timing.js';
import { Urgency, type Operation } from '../../../contract/index.js';
import { onlyFile } from '../../input/only-file.js';
import { operationArgument } from '../../input/parse-operation.js';
import { readInput } from '../../input/read-input.js';
import type { Session } from '../../session.js';
import { withGcore } from '../../with-gcore.js';

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

export function addCreate(schedule: Command, session: () => Session): void {
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
