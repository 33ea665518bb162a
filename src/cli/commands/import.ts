import { Option } from 'commander';

import {
  Operation,
  operationSchemas,
  reportLines,
  type ImportVideosInput,
  type Urgency,
} from '../../contract/index.js';
import type { GcoreWorkflows } from '../../client/index.js';
import type { Cli } from '../cli.js';
import type { CliIo } from '../cli-io.js';
import { readListFile, failedLines } from '../input/import-files.js';
import { parseCount, parseTolerate } from '../input/parse-option.js';
import { checkInput } from '../input/read-input.js';
import { checkListed } from '../input/read-list.js';
import { runFields, takesRunOptions, type RunOptions } from '../input/run-options.js';
import { requestIdOfList, runBulk } from '../run-bulk.js';
import { urgencyOption } from '../start-run.js';

interface ImportOptions extends RunOptions {
  sha256?: string;
  lines?: string;
  waitFor?: string;
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
    --rerun done.jsonl --class origin-forbidden

This command reads a path and sends it with the request: at most 2000 videos
and 1 MiB, without credentials. The worker reads file: and https:, below its
GCORE_MANIFEST_ROOT or from its GCORE_MANIFEST_HOSTS. One JSON object per line.`;

export function addImport({ program, session }: Cli): void {
  const command = program
    .command('import')
    .description('import videos and follow each one until it is playable')
    .argument('<FILE>', 'a list of videos: a path, - for stdin, file:PATH or https://…')
    .option('--sha256 <HEX>', 'hash of the whole file, for file: and https:')
    .option('--lines <RANGES>', 'only these lines, such as "1-500 502"')
    .addOption(
      new Option('--wait-for <STATE>', 'state that each video must reach').choices([
        'created',
        'viewable',
        'ready',
      ]),
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
      const input = await toInput(file, options, current.io);
      const operation = Operation.importVideos;
      const { requestId = requestIdOfList(current, operation, input), urgency, join } = options;
      const start = { operation, requestId, input, urgency, join };
      await runBulk(current, start, { ...options, linesOf });
    });
}

async function toInput(
  file: string,
  options: ImportOptions,
  io: CliIo,
): Promise<ImportVideosInput> {
  const { sha256, rerun, waitFor, tolerate, canary } = options;
  const lines = rerun === undefined ? options.lines : await failedLines(rerun, io, options.class);
  const given = { lines, waitFor, tolerate, canary, ...runFields(options) };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const schema = operationSchemas[Operation.importVideos].input;
  if (/^(file|https):/.test(file)) {
    const manifest = { url: file, ...(sha256 === undefined ? {} : { sha256 }) };
    return checkInput(schema, { manifest, ...set });
  }
  return checkListed({ schema, field: 'videos', list: await readListFile(file, io), input: set });
}

async function linesOf(gcore: GcoreWorkflows, workflowId: string): Promise<Iterable<object>> {
  return reportLines(await gcore.report(workflowId));
}
