import { Option } from 'commander';

import { Operation, type ImportVideosInput, type Urgency } from '../../contract/index.js';
import { plural } from '../../engine/core/text.js';
import { IMPORTED_STATES } from '../../contract/wire/videos.js';
import type { Cli } from '../cli.js';
import {
  failedLines,
  mergeResults,
  readResults,
  type EarlierResult,
} from '../input/import-files.js';
import { parseCount, parseNames, parseTolerate } from '../input/parse-option.js';
import { listedInput } from '../input/listed-input.js';
import { readList, toManifest } from '../input/read-list.js';
import { runFields, takesRunOptions, type RunOptions } from '../input/run-options.js';
import { checkResultsFile, isSameFile } from '../output/results-file.js';
import { tellDetails } from '../output/tell-details.js';
import { requestIdOfList, runBulk, type LinesOf } from '../run-bulk.js';
import type { Session } from '../session.js';
import { urgencyOption } from '../start-run.js';

interface ImportOptions extends RunOptions {
  sha256?: string;
  lines?: string;
  waitFor?: string;
  fields?: string[];
  tolerate?: unknown;
  canary?: number;
  results?: string;
  rerun?: string;
  class?: string[];
  urgency: Urgency;
}

const EXAMPLES = `
Examples:
  gcore-workflows import videos.jsonl --results done.jsonl
  gcore-workflows import file:2026-05.jsonl --request-id may --canary 20 --tolerate 1%
  gcore-workflows import file:2026-05.jsonl --request-id may-again \\
    --rerun done.jsonl --class origin-forbidden --results done.jsonl

With --rerun and --results of one file, new lines take the place of old ones there.
Other results that are there already are kept, as done.jsonl.1 and so on.

This command reads a path and sends it with the request, or uploads it before if
it has more than 2000 videos or 1 MiB; both without credentials. The worker reads
file: and https:, below its GCORE_MANIFEST_ROOT or from its GCORE_MANIFEST_HOSTS.
One JSON object per line.`;

export function addImport({ program, session }: Cli): void {
  const command = program
    .command('import')
    .description('import videos and follow each one until it is playable')
    .argument('<FILE>', 'a list of videos: a path, - for stdin, file:PATH or https://…')
    .option('--sha256 <HEX>', 'hash of the whole file, for file: and https:')
    .option('--lines <RANGES>', 'only these lines, such as "1-500 502"')
    .addOption(
      new Option('--wait-for <STATE>', 'state that each video must reach').choices([
        ...IMPORTED_STATES,
      ]),
    )
    .option(
      '--fields <NAMES>',
      'what the results have of each video, such as slug,hls_url',
      parseNames,
    )
    .option('--tolerate <N|N%>', 'how many videos may fail; default: none', parseTolerate)
    .option('--canary <N>', 'import N videos first; the rest only if they succeed', parseCount)
    .option('--results <FILE>', 'write one line per video there, even after a failure')
    .option('--rerun <RESULTS>', 'only lines that failed or were not tried in RESULTS')
    .option('--class <CLASS...>', 'with --rerun: only failures of these classes');
  takesRunOptions(command, 'name of this request; default: from the content')
    .addOption(urgencyOption(Operation.importVideos))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: ImportOptions) => {
      const current = session();
      const { rerun, results } = options;
      const earlier = rerun === undefined ? [] : await readResults(rerun, current.io);
      tellUnknown(current, earlier);
      const input = await toInput(current, file, { ...options, earlier });
      const operation = Operation.importVideos;
      const { requestId = requestIdOfList(current, operation, input), urgency, join } = options;
      const start = { operation, requestId, input, urgency, join };
      const onDetails = tellDetails(current);
      const holdsEarlier = isSameFile(rerun, results);
      const linesOf: LinesOf = (gcore, run, signal) => {
        const fresh = gcore.importResults(run, { signal, onDetails });
        return holdsEarlier ? mergeResults(earlier, fresh) : fresh;
      };
      await runBulk(current, start, { ...options, holdsEarlier, linesOf });
    });
}

/** What a call without an answer may have made, another request would make again. */
function tellUnknown({ progress }: Session, earlier: readonly EarlierResult[]): void {
  const { length: count } = earlier.filter(({ outcome }) => outcome === 'unknown');
  if (count === 0) return;
  progress.notice(
    `${plural(count, 'line')} left out: nobody knows whether the earlier run has made ${count === 1 ? 'its video' : 'their videos'}. Repeat the request id of that run.`,
  );
}

async function toInput(
  session: Session,
  file: string,
  { earlier, ...options }: ImportOptions & { earlier: readonly EarlierResult[] },
): Promise<ImportVideosInput> {
  const { io } = session;
  const { sha256, rerun, waitFor, fields, tolerate, canary } = options;
  const lines = rerun === undefined ? options.lines : failedLines(rerun, earlier, options.class);
  const given = { lines, waitFor, fields, tolerate, canary, ...runFields(options) };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const manifest = toManifest(file, sha256);
  const list = manifest === undefined ? await readList(file, io) : undefined;
  checkResultsFile(options.results, list?.source);
  return listedInput(session, {
    operation: Operation.importVideos,
    list,
    input: { ...set, ...(manifest && { manifest }) },
  });
}
