import type { GcoreWorkflows, RunName } from '../client/index.js';
import type { Operation, Operations } from '../contract/index.js';
import { digestOfManifest } from '../contract/manifest.js';
import { countRanges } from '../engine/core/number-ranges.js';
import { plural } from '../engine/core/text.js';
import { CliError, ExitCode } from './cli-error.js';
import { writeResults, type Lines } from './output/results-file.js';
import { requestIdFromInput } from './input/request-id.js';
import { watchDeps, type Session } from './session.js';
import { printStarted, startRun, type Start } from './start-run.js';
import { untilStopped } from './watch/until-stopped.js';
import { watchRun } from './watch/watch-run.js';
import { withGcore } from './with-gcore.js';

/** Operations whose results count items, and whose reports name each. */
type BulkOperation = typeof Operation.importVideos | typeof Operation.runBatch;

/** The lines of a report. @param stop ends whatever takes long: the lines are written all the same. */
export type LinesOf = (
  gcore: GcoreWorkflows,
  run: RunName,
  stop: AbortSignal,
) => Promise<Lines> | Lines;

interface Following {
  wait: boolean;
  timeout?: number | undefined;
  /** Where the report goes; nowhere when left out. */
  results?: string | undefined;
  /** The report has all lines that are there already. */
  holdsEarlier?: boolean;
  linesOf: LinesOf;
}

/** Starts a run, or joins the one that the request has, and prints its counts. */
export async function runBulk<O extends BulkOperation>(
  session: Session,
  start: Start<O>,
  { wait, timeout, results, holdsEarlier = false, linesOf }: Following,
): Promise<void> {
  const { io, progress } = session;
  const since = io.clock.now();
  await withGcore(session, async (gcore) => {
    const run = await startRun(session, gcore, start);
    if (!wait) {
      printStarted(session, run);
      return;
    }
    const { workflowId, outcome } = run;
    try {
      if (outcome !== 'succeeded-before') {
        await watchRun({ ...run, timeoutMs: timeout }, watchDeps(session, gcore));
      }
      const { counts, report } = await gcore.result(start.operation, run);
      const before = 'before' in report ? countRanges(report.before) : 0;
      if (before > 0) {
        progress.notice(
          `${plural(before, 'item')} had succeeded before: nothing was done for them now.`,
        );
      }
      session.printJson({ workflowId, counts });
    } finally {
      // Also for a run that failed, was cancelled or continues: partial results are useful.
      if (results !== undefined) {
        const { signal, end } = untilStopped(io, timeout && since + timeout - io.clock.now());
        const lines = await linesOf(gcore, run, signal);
        const written = await writeResults(results, lines, { holdsEarlier }).finally(end);
        progress.notice(`Wrote ${plural(written.count, 'result')} to ${results}`);
        if (written.kept !== undefined) {
          progress.notice(`The earlier ${results} is now ${written.kept}`);
        }
      }
    }
  });
}

/** The request id of a list. A file name alone is none: the file may hold another list next month. */
export function requestIdOfList<O extends BulkOperation>(
  session: Session,
  operation: O,
  input: Operations[O]['input'],
): string {
  const { manifest } = input;
  if (manifest === undefined || digestOfManifest(manifest) !== undefined) {
    return requestIdFromInput(session, operation, input);
  }
  throw new CliError({
    type: 'Usage',
    message: 'A manifest that the worker reads needs a request id.',
    advice: 'Add --request-id ID, or --sha256 HEX of the whole file.',
    exitCode: ExitCode.badInput,
  });
}
