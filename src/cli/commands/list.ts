import { Option } from 'commander';

import { LISTED_PHASES } from '../../client/run-filter.js';
import type { GcoreWorkflows, RunFilter, RunSummary } from '../../client/index.js';
import { Operation } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { labelsOf, takesLabels, type LabelOptions } from '../input/run-options.js';
import { parseOperation, parseCount, parseSince } from '../input/parse-option.js';
import { renderRuns } from '../output/render-runs.js';
import type { Session } from '../session.js';
import { createLiveBlock } from '../watch/progress.js';
import { createChanges, watchList } from '../watch/watch-list.js';
import { withGcore } from '../with-gcore.js';

interface ListOptions extends RunFilter, LabelOptions {
  watch?: true;
}

/** How many runs a person sees who asks for no number. */
const SHOWN = 20;
const ALL = 'list --output json';

const EXAMPLES = `
Examples:
  gcore-workflows list --phase blocked --watch
  gcore-workflows list --operation importVideos --since 2h --account blue
  gcore-workflows list --group incident-42 --label team=media
  gcore-workflows list --search 203.0.113.7
  gcore-workflows list --resource 8942f0cf-b297-4fc5-8bf7-02c5f5d920fa

--phase (but running, succeeded, failed, cancelled), labels and --resource need
the search attributes. A change may show a moment later. --watch draws the
table again on a terminal; elsewhere it prints what has changed.`;

export function addList({ program, session }: Cli): void {
  const command = program
    .command('list')
    .description('list the runs: open ones first, then the last to end');
  takesLabels(command, 'only runs that have it; repeatable')
    .addOption(new Option('--phase <PHASE>', 'only in this phase').choices(LISTED_PHASES))
    .addOption(
      new Option('--operation <NAME>', 'only of this operation')
        .choices(Object.keys(Operation))
        .argParser(parseOperation),
    )
    .option('--account <NAME>', 'only with this API key')
    .option(
      '--resource <ID>',
      'only those that made or found this, or an instance with this address',
    )
    .option('--search <TEXT>', 'a request id, an address, an id, or their beginning')
    .option('--since <TIME>', 'started since: 2h, 3 days, 2026-05-04', (text) => parseSince(text))
    .addOption(
      new Option('--limit <N>', 'maximum number of runs')
        .argParser(parseCount)
        .default(undefined, `${SHOWN}; with --output json all`),
    )
    .option('--watch', 'show it again and again until Ctrl-C')
    .addHelpText('after', EXAMPLES)
    .action(
      async ({
        watch = false,
        group,
        label,
        limit,
        ...others
      }: Omit<ListOptions, 'watch'> & { watch?: boolean }) => {
        const current = session();
        const labels = labelsOf({ ...(group && { group }), ...(label && { label }) });
        const most = limit ?? (current.isJson && !watch ? Infinity : SHOWN);
        const filter = { ...others, ...(labels && { labels }), limit: most };
        const { io } = current;
        await withGcore(current, async (gcore) => {
          const load = firstOf(current, gcore, filter);
          if (watch) {
            await watchRuns(current, load);
            return;
          }
          const runs = await load();
          current.print(runs, renderRuns(runs, io.clock.now(), io.stdout.size?.().columns));
        });
      },
    );
}

/** Reads the first runs of a list. Says once on stderr that there are more. */
function firstOf(
  { progress }: Session,
  gcore: GcoreWorkflows,
  filter: RunFilter & { limit: number },
): () => Promise<RunSummary[]> {
  const { limit } = filter;
  let isTold = false;
  return async () => {
    const runs = await gcore.list({ ...filter, limit: limit + 1 });
    if (runs.length > limit && !isTold) {
      isTold = true;
      progress.notice(`There are more than these ${limit} runs: --limit shows more, ${ALL} all.`);
    }
    return runs.slice(0, limit);
  };
}

function watchRuns(session: Session, load: () => Promise<RunSummary[]>): Promise<void> {
  const { io, progress } = session;
  return watchList({
    load,
    show: session.isJson || !io.stdout.isTty ? showChanges(session) : showTable(session),
    onAway: () => {
      progress.notice('The Temporal server does not answer. Trying again.');
    },
    clock: io.clock,
    stopped: AbortSignal.any([io.interrupted(), io.unread]),
  });
}

/** One line for each change, for pipes. */
function showChanges({ io, isJson }: Session): (runs: readonly RunSummary[]) => void {
  const changesOf = createChanges();
  return (runs) => {
    for (const run of changesOf(runs)) {
      const time = new Date(io.clock.now()).toISOString();
      io.stdout.write(
        isJson ? `${JSON.stringify(run)}\n` : `${time}  ${run.phase}  ${run.workflowId}\n`,
      );
    }
  };
}

function showTable({ io }: Session): (runs: readonly RunSummary[]) => void {
  const draw = createLiveBlock(io.stdout);
  return (runs) => {
    draw(renderRuns(runs, io.clock.now(), io.stdout.size?.().columns));
  };
}
