import type { Command } from 'commander';

import type { GcoreWorkflows } from '../../client/index.js';
import { plannedIdOf } from '../../contract/index.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { renderRuns } from '../output/render-runs.js';
import type { Session } from '../session.js';
import { findWorkflowId, withRun } from '../with-run.js';
import { withGcore } from '../with-gcore.js';
import { actOnRuns, type BulkAction } from './act-on-runs.js';
import { confirm } from './confirm.js';

export interface BulkOptions {
  query?: string;
  yes?: true;
}

/** The arguments and options of a command for one run, several, or all that a query finds. */
export function takesRuns(command: Command): Command {
  return command
    .argument('[ID...]', 'request ids or workflow ids of runs')
    .option('--query <FILTER>', 'all open runs of this list filter of Temporal')
    .option('--yes', 'do not ask before several runs are touched');
}

/** Help for a command of `takesRuns`. */
export function bulkHelp(verb: string): string {
  return `
Examples:
  gcore-workflows ${verb} order-4711
  gcore-workflows ${verb} order-4711 order-4712
  gcore-workflows ${verb} --query 'GcoreAccount = "blue"' --yes

Several runs are listed and counted first, and you are asked. Exactly these are
touched. Without a terminal that needs --yes. Plans are left out. The exit code
is 3 when some did not take it.`;
}

interface OnRuns extends BulkAction {
  ids: readonly string[];
  options: BulkOptions;
  /** What the command does with a single id. */
  single: (gcore: GcoreWorkflows, workflowId: string) => Promise<void>;
  /** Options that only a single id takes, such as `--wait`, when they are given. */
  onlySingle?: readonly string[];
}

/** Runs `single` for one id, and otherwise asks all of the runs after a confirmation. */
export async function onRuns(session: Session, wanted: OnRuns): Promise<void> {
  const { ids, options, single, verb, onlySingle = [] } = wanted;
  const { query } = options;
  if ((ids.length === 0) === (query === undefined)) {
    throw usage(ids.length === 0 ? 'No run is named.' : 'Both ids and --query are given.', verb);
  }
  const [id = ''] = ids;
  if (ids.length === 1) {
    await withRun(session, id, single);
    return;
  }
  const [option] = onlySingle;
  if (option !== undefined) throw usage(`${option} is for a single run.`, verb);
  await withGcore(session, async (gcore) => {
    const runs = query === undefined ? await named(gcore, ids) : await found(session, gcore, query);
    if (runs.length === 0) {
      session.progress.notice('No open run fits. Nothing was changed.');
      session.print([], []);
      return;
    }
    const lines = runs.map(({ line }) => line);
    await confirm(session, { verb, lines, isAgreed: options.yes === true });
    const workflowIds = runs.map(({ workflowId }) => workflowId);
    await actOnRuns({ session, gcore }, wanted, workflowIds);
  });
}

function usage(message: string, verb: string): CliError {
  const advice = `Name the runs (${verb} ID …), or find them with --query.`;
  return new CliError({ type: 'Usage', message, advice, exitCode: ExitCode.badInput });
}

interface Chosen {
  workflowId: string;
  /** How the confirmation shows it. */
  line: string;
}

/** All ids are looked up before anything is touched: one wrong id changes nothing. */
async function named(gcore: GcoreWorkflows, ids: readonly string[]): Promise<Chosen[]> {
  const workflowIds: string[] = [];
  for (const id of ids) {
    const workflowId = await findWorkflowId(gcore, id);
    // Throws for an id that no run has.
    await gcore.operationOf(workflowId);
    workflowIds.push(workflowId);
  }
  return [...new Set(workflowIds)].map((workflowId) => ({ workflowId, line: workflowId }));
}

const MAX_FOUND = 1_000;

async function found({ io }: Session, gcore: GcoreWorkflows, query: string): Promise<Chosen[]> {
  const all = await gcore.list({ query, open: true, limit: MAX_FOUND + 1 });
  if (all.length > MAX_FOUND) {
    throw new CliError({
      type: 'TooMany',
      message: `More than ${MAX_FOUND} open runs fit. Nothing was changed.`,
      advice: 'Add conditions to the query.',
      exitCode: ExitCode.badInput,
    });
  }
  const runs = all.filter(({ workflowId }) => plannedIdOf(workflowId) === undefined);
  const [, ...lines] = renderRuns(runs, io.clock.now());
  return runs.map(({ workflowId }, at) => ({ workflowId, line: lines[at] ?? workflowId }));
}
