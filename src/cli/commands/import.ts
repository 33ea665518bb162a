import { Option } from 'commander';

import {
  Operation,
  operationSchemas,
  type ImportVideosInput,
  type Urgency,
} from '../../contract/index.js';
import type { GcoreWorkflows } from '../../client/index.js';
import type { Cli } from '../cli.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { readVideos, writeResults } from '../input/import-files.js';
import { parseCount, parseRequestId, parseSeconds, parseTolerate } from '../input/parse-option.js';
import { checkInput } from '../input/read-input.js';
import { deriveRequestId } from '../input/request-id.js';
import { failedLines } from '../output/import-results.js';
import { watchDeps, type Session } from '../session.js';
import { printStarted, startRun, urgencyOption } from '../start-run.js';
import { watchRun } from '../watch/watch-run.js';
import { withGcore } from '../with-gcore.js';

interface ImportOptions {
  requestId?: string;
  sha256?: string;
  lines?: string;
  waitFor?: string;
  tolerate?: unknown;
  canary?: number;
  results?: string;
  rerun?: string;
  class?: string[];
  account?: string;
  wait: boolean;
  timeout?: number;
  urgency: Urgency;
}

const EXAMPLES = `
Examples:
  gcore-workflows import videos.jsonl --results done.jsonl
  gcore-workflows import file:2026-05.jsonl --request-id may --canary 20 --tolerate 1%
  gcore-workflows import file:2026-05.jsonl --request-id may-again \\
    --rerun done.jsonl --class origin-forbidden

A path is read here and goes with the request: at most 2000 videos and 1 MiB,
without credentials. file: and https: are read by the worker, below its
GCORE_MANIFEST_ROOT or from its GCORE_MANIFEST_HOSTS. One JSON object a line.`;

export function addImport({ program, session }: Cli): void {
  program
    .command('import')
    .description('import videos, and follow each until it can be watched')
    .argument('<FILE>', 'videos as JSON Lines: a path, file:PATH or https://…')
    .option('--request-id <ID>', 'name of this request', parseRequestId)
    .option('--sha256 <HEX>', 'of the whole file, for file: and https:')
    .option('--lines <RANGES>', 'only these lines, such as "1-500 502"')
    .addOption(
      new Option('--wait-for <STATE>', 'what each video has to reach').choices([
        'created',
        'viewable',
        'ready',
      ]),
    )
    .option('--tolerate <N|N%>', 'how many may fail; none by default', parseTolerate)
    .option('--canary <N>', 'so many first, the rest when they are sound', parseCount)
    .option('--results <FILE>', 'write one line a video there, also after a failure')
    .option('--rerun <RESULTS>', 'only the lines that failed, or were not tried, there')
    .option('--class <CLASS...>', 'with --rerun: only failures of these classes')
    .option('--account <NAME>', 'which API key of the workers to use')
    .option('--no-wait', 'print the workflow id and do not wait')
    .option('--timeout <SECONDS>', 'stop watching then; the run goes on', parseSeconds)
    .addOption(urgencyOption(Operation.importVideos))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: ImportOptions) => {
      const current = session();
      const input = await toInput(file, options);
      const requestId = options.requestId ?? requestIdOf(input);
      await importVideos(current, { input, requestId, options });
    });
}

async function toInput(file: string, options: ImportOptions): Promise<ImportVideosInput> {
  const { sha256, rerun, waitFor, tolerate, canary, account } = options;
  const isReference = /^(file|https):/.test(file);
  const manifest = { url: file, ...(sha256 === undefined ? {} : { sha256 }) };
  const list = isReference ? { manifest } : { videos: await readVideos(file) };
  const lines = rerun === undefined ? options.lines : await failedLines(rerun, options.class);
  const given = { ...list, lines, waitFor, tolerate, canary, account };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return checkInput(operationSchemas[Operation.importVideos].input, Object.fromEntries(set));
}

/** The same name of a file may stand for another list next month. */
function requestIdOf(input: ImportVideosInput): string {
  const { manifest } = input;
  if (manifest === undefined || manifest.sha256 !== undefined) return deriveRequestId(input);
  throw new CliError({
    type: 'Usage',
    message: 'A manifest that the worker reads needs a name for this request.',
    advice: 'Add --request-id ID, or --sha256 HEX of the whole.',
    exitCode: ExitCode.badInput,
  });
}

interface ImportRequest {
  input: ImportVideosInput;
  requestId: string;
  options: ImportOptions;
}

async function importVideos(
  session: Session,
  { input, requestId, options }: ImportRequest,
): Promise<void> {
  const { wait, timeout, urgency, results } = options;
  await withGcore(session, async (gcore) => {
    const operation = Operation.importVideos;
    const run = await startRun(session, gcore, { operation, requestId, input, urgency });
    if (!wait) {
      printStarted(session, run);
      return;
    }
    const { workflowId, alreadySucceeded } = run;
    try {
      if (!alreadySucceeded) {
        await watchRun({ workflowId, timeoutMs: timeout }, watchDeps(session, gcore));
      }
      const { counts } = await gcore.result(operation, workflowId);
      session.printJson({ workflowId, counts });
    } finally {
      if (results !== undefined) await writeReport(session, gcore, { workflowId, results });
    }
  });
}

/** Also of a run that failed, was cancelled or goes on: what is known is worth having. */
async function writeReport(
  { progress }: Session,
  gcore: GcoreWorkflows,
  { workflowId, results }: { workflowId: string; results: string },
): Promise<void> {
  const lines = await writeResults(results, await gcore.report(workflowId));
  progress.notice(`${lines} results are in ${results}`);
}
