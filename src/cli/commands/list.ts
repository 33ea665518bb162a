import type { RunSummary } from '../../client/index.js';
import { align } from '../output/align.js';
import { formatDuration } from '../../client/format-duration.js';
import { parseCount } from '../input/parse-option.js';
import type { Cli } from '../cli.js';
import { withGcore } from '../with-gcore.js';

export function addList({ program, session }: Cli): void {
  program
    .command('list')
    .description('list the runs, newest first')
    .option('--limit <N>', 'maximum number of runs', parseCount, 20)
    .action(async ({ limit }: { limit: number }) => {
      const current = session();
      const runs = await withGcore(current, (gcore) => gcore.list(limit));
      current.print(runs, renderRuns(runs, current.io.clock.now()));
    });
}

function renderRuns(runs: readonly RunSummary[], now: number): string[] {
  const rows = runs.map(({ workflowId, phase, startedAt, closedAt }) => [
    phase,
    startedAt.toISOString(),
    formatDuration((closedAt?.getTime() ?? now) - startedAt.getTime()),
    workflowId,
  ]);
  return align([['PHASE', 'STARTED', 'TOOK', 'WORKFLOW ID'], ...rows]);
}
