import type { Command } from 'commander';

import type { GcoreWorkflows, RunFilter, RunSummary } from '../client/index.js';
import { plannedIdOf } from '../contract/index.js';
import { plural } from '../engine/core/text.js';
import {
  actOnRuns,
  askedAlone,
  inTurn,
  untilShown,
  type BulkAction,
  type Later,
  type Target,
} from './act-on-runs.js';
import { CliError, ExitCode } from './cli-error.js';
import { labelsOf, takesLabels, type LabelOptions } from './input/run-options.js';
import { renderRuns } from './output/render-runs.js';
import type { Session } from './session.js';
import { tellSchedules } from './tell-schedules.js';
import { withGcore } from './with-gcore.js';
import { createFinder, withRun } from './with-run.js';

export interface BulkOptions extends LabelOptions {
  query?: string;
  yes?: true;
}

/** The arguments and options of a command for one run, several, or all that a query finds. */
export function takesRuns(command: Command, which = 'open runs'): Command {
  command.argument('[ID...]', 'request ids or workflow ids of runs');
  return takesLabels(command, `all ${which} that have it; repeatable`)
    .option('--query <FILTER>', `all ${which} of this list filter of Temporal`)
    .option('--yes', 'do not ask before several runs are touched');
}

/** Help for a command of `takesRuns`. */
export function bulkHelp(verb: string, options = '', isFollowed = false): string {
  const reach = isFollowed ? ', and what comes\nof a batch or with a label meanwhile' : '';
  return `
Examples:
  gcore-workflows ${verb} order-4711${options}
  gcore-workflows ${verb} order-4711 order-4712${options}
  gcore-workflows ${verb} --group incident-42${options}
  gcore-workflows ${verb} --query 'GcoreAccount = "blue"' --yes${options}

Several runs are listed and counted first, and you are asked. Exactly these are
touched${reach}. Without a terminal that needs --yes.
Plans are left out. The exit code is 3 when some did not take it.`;
}

interface OnRuns extends BulkAction {
  ids: readonly string[];
  options: BulkOptions;
  /** What the command does with a single id. */
  single: (gcore: GcoreWorkflows, workflowId: string) => Promise<void>;
  /** Which runs a filter may find; open ones by default. */
  among?: RunFilter;
  /** Options that only a single id takes, such as `--wait`, when they are given. */
  onlySingle?: readonly string[];
}

/** Runs `single` for one id, and otherwise asks all of the runs after a confirmation. */
export async function onRuns(session: Session, wanted: OnRuns): Promise<void> {
  const { ids, options, single, verb, among = { open: true }, onlySingle = [] } = wanted;
  const given = filterOf(options);
  const wantedRuns = given && { ...given, ...among };
  if ((ids.length === 0) === (wantedRuns === undefined)) {
    const both = 'Both ids and a filter are given.';
    throw usage(ids.length === 0 ? 'No run is named.' : both, verb);
  }
  const [id = ''] = ids;
  if (ids.length === 1) {
    await withRun(session, id, single);
    return;
  }
  const [option] = onlySingle;
  if (option !== undefined) throw usage(`${option} is for a single run.`, verb);
  await withGcore(session, async (gcore) => {
    if (given?.labels !== undefined && wanted.reach !== undefined) {
      const resumes = wanted.reach === 'frees';
      await tellSchedules(session, gcore, { labels: given.labels, resumes });
    }
    const runs =
      wantedRuns === undefined
        ? await named(gcore, ids)
        : askedAlone(wanted, await foundAtLast(session, gcore, wantedRuns));
    if (runs.length === 0) {
      session.progress.notice('No run fits. Nothing was changed.');
      session.print([], []);
      return;
    }
    const lines = runs.map(({ line }) => line);
    await confirm(session, { verb, lines, isAgreed: options.yes === true });
    await actOnRuns({ session, gcore }, wanted, {
      targets: runs,
      ...(wantedRuns && { later: laterOf(gcore, wantedRuns, runs) }),
    });
  });
}

/** Which runs are meant; `undefined` when only ids say it. */
function filterOf({ query, ...options }: BulkOptions): RunFilter | undefined {
  const labels = labelsOf(options);
  if (query === undefined && labels === undefined) return undefined;
  return { ...(query !== undefined && { query }), ...(labels && { labels }) };
}

function usage(message: string, verb: string): CliError {
  const advice = `Name the runs (${verb} ID …), or find them with --group, --label or --query.`;
  return new CliError({ type: 'Usage', message, advice, exitCode: ExitCode.badInput });
}

interface Chosen extends Target {
  /** Missing for one that is named. */
  startedAt?: Date;
  /** How the confirmation shows it. */
  line: string;
}

/** All ids are looked up before anything is touched: one wrong id changes nothing. */
async function named(gcore: GcoreWorkflows, ids: readonly string[]): Promise<Chosen[]> {
  const chosen = new Map<string, Chosen>();
  const find = createFinder(gcore);
  for (const id of ids) {
    const workflowId = await find(id);
    // Throws for an id that no run has.
    const { operation, runId } = await gcore.summary(workflowId);
    chosen.set(workflowId, { workflowId, runId, operation, line: workflowId });
  }
  return [...chosen.values()];
}

const MAX_FOUND = 1_000;
/** With those that come meanwhile. */
const MAX_SEEN = 10_000;

async function requestsOf(gcore: GcoreWorkflows, filter: RunFilter): Promise<RunSummary[]> {
  const all = await gcore.list(filter);
  return all.filter(({ workflowId }) => plannedIdOf(workflowId) === undefined);
}

/** Who has just started something has its label at hand, and the list does not show it yet. */
async function foundAtLast(
  session: Session,
  gcore: GcoreWorkflows,
  filter: RunFilter,
): Promise<Chosen[]> {
  const runs = await found(session, gcore, filter);
  if (runs.length > 0 || filter.labels === undefined) return runs;
  await untilShown(session);
  return found(session, gcore, filter);
}

async function found({ io }: Session, gcore: GcoreWorkflows, filter: RunFilter): Promise<Chosen[]> {
  const all = await gcore.list({ ...filter, limit: MAX_FOUND + 1 });
  if (all.length > MAX_FOUND) {
    throw new CliError({
      type: 'TooMany',
      message: `More than ${MAX_FOUND} runs fit. Nothing was changed.`,
      advice: 'Add conditions, such as another label.',
      exitCode: ExitCode.badInput,
    });
  }
  const requests = all.filter(({ workflowId }) => plannedIdOf(workflowId) === undefined);
  const runs = filter.unsuccessful === true ? await newestOf(gcore, requests) : requests;
  const [, ...lines] = renderRuns(runs, io.clock.now());
  return runs.map((run, at) => {
    const { workflowId, runId, operation, startedAt, partOf } = run;
    const line = lines[at] ?? workflowId;
    return {
      workflowId,
      runId,
      operation,
      startedAt,
      line,
      ...(partOf !== undefined && { partOf }),
    };
  });
}

/** Whatever has a label is meant. By another filter, what had begun before the newest one that was shown. */
function laterOf(gcore: GcoreWorkflows, filter: RunFilter, shown: readonly Chosen[]): Later {
  const newest = Math.max(...shown.map(({ startedAt }) => startedAt?.getTime() ?? 0));
  return {
    look: () => requestsOf(gcore, { ...filter, limit: MAX_SEEN }),
    isMeant: ({ startedAt }) => filter.labels !== undefined || startedAt.getTime() <= newest,
  };
}

/** A list has every run of a request: after one that failed, another may go on or have succeeded. */
async function newestOf(gcore: GcoreWorkflows, runs: readonly RunSummary[]): Promise<RunSummary[]> {
  const ids = [...new Set(runs.map(({ workflowId }) => workflowId))];
  const newest = await inTurn(ids, (workflowId) => gcore.summary(workflowId));
  return newest.filter(({ closedAt, phase }) => closedAt !== undefined && phase !== 'succeeded');
}

const SHOWN = 50;

/** Shows the runs and asks for a yes. @throws CliError when there is none; nothing was changed then */
async function confirm(
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
