import { Option, type Command } from 'commander';

import type { GcoreWorkflows } from '../client/index.js';
import { batchTerms, itemFaults, listFaults } from '../contract/batch-items.js';
import { batchLines } from '../contract/batch-lines.js';
import { FailureType, Operation, type RunBatchInput } from '../contract/index.js';
import { TOO_MANY_FAILURES } from '../contract/wire/batch.js';
import { Urgency } from '../engine/core/names.js';
import { parseCount, parseRequestId, parseTolerate } from './input/parse-option.js';
import { listedInput } from './input/listed-input.js';
import type { ItemList } from './input/read-list.js';
import { runFields, type RunOptions } from './input/run-options.js';
import { checkResultsFile } from './output/results-file.js';
import { requestIdOfList, runBulk } from './run-bulk.js';
import type { Session } from './session.js';

/** Options of a command that starts many runs. */
export interface BatchOptions {
  atOnce?: number;
  idPrefix?: string;
  canary?: number;
  tolerate?: unknown;
  stopOn?: string[];
  onAbort?: string;
  results?: string;
  urgency?: Urgency;
}

export function takesBatchOptions(command: Command): Command {
  return command
    .option('--at-once <N>', 'so many runs go on at the same time; default: 20', parseCount)
    .option(
      '--id-prefix <ID>',
      'request ids of lines without one; default: --request-id',
      parseRequestId,
    )
    .option('--canary <N>', 'start N first; the rest only if they succeed', parseCount)
    .option('--tolerate <N|N%>', 'how many may fail; default: none', parseTolerate)
    .addOption(
      new Option('--stop-on <TYPE...>', 'start no more once one has failed so').choices([
        TOO_MANY_FAILURES,
        ...Object.values(FailureType),
      ]),
    )
    .addOption(
      new Option('--on-abort <WHAT>', 'what an abort does to the runs').choices([
        'leave',
        'cancel',
      ]),
    )
    .addOption(
      new Option('--urgency <LEVEL>', 'which calls go first when many runs wait').choices(
        Object.keys(Urgency),
      ),
    )
    .option('--results <FILE>', 'write one line per item there, even after a failure');
}

/** What these options say in the input of a batch; fields that are left out are missing. */
function batchFields(options: BatchOptions): object {
  const { atOnce, idPrefix, canary, tolerate, stopOn, onAbort, urgency } = options;
  const given = { atOnce, idPrefix, canary, tolerate, stopOn, onAbort, urgency };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The input of a batch, whose items are all checked before any connection. */
export function batchInput(
  session: Session,
  list: ItemList | undefined,
  { input, options }: { input: object; options: RunOptions & BatchOptions },
): Promise<RunBatchInput> {
  checkResultsFile(options.results, list?.source);
  return listedInput(session, {
    operation: Operation.runBatch,
    list,
    input: { ...input, ...batchFields(options), ...runFields(options) },
    faultsOf: (batch, items) =>
      batch.items === undefined ? listFaults(batchTerms(batch, ''), items) : itemFaults(batch),
  });
}

/** Starts a batch, or joins the one that the request has, and prints its counts. */
export async function startBatch(
  session: Session,
  input: RunBatchInput,
  options: RunOptions & BatchOptions,
): Promise<void> {
  const operation = Operation.runBatch;
  const { requestId = requestIdOfList(session, operation, input), urgency, join } = options;
  const start = { operation, requestId, input, join, ...(urgency && { urgency }) };
  const linesOf = async (gcore: GcoreWorkflows, workflowId: string) =>
    batchLines(await gcore.batchReport(workflowId));
  await runBulk(session, start, { ...options, linesOf });
}
