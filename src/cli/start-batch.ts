import { randomUUID } from 'node:crypto';

import { Option, type Command } from 'commander';

import type { GcoreWorkflows, RunName } from '../client/index.js';
import { batchTerms, itemFaults, listFaults } from '../contract/batch-items.js';
import { batchLines } from '../contract/batch-lines.js';
import { FailureType, Operation, type RunBatchInput } from '../contract/index.js';
import { OPERATIONS } from '../contract/operations/index.js';
import { TOO_MANY_FAILURES } from '../contract/wire/batch.js';
import { Urgency } from '../engine/core/names.js';
import { CliError, ExitCode } from './cli-error.js';
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
  key?: string;
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
      'begins the request ids of lines without one; default: --request-id',
      parseRequestId,
    )
    .option('--key <FIELD>', 'the field that names each line, such as instance.name')
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

/** What only a batch has makes one of a single item too: nobody else writes its results, or takes its other names. */
export function asksForBatch(options: BatchOptions): boolean {
  const { atOnce, idPrefix, key, canary, tolerate, stopOn, onAbort, results } = options;
  const given = [atOnce, idPrefix, key, canary, tolerate, stopOn, onAbort, results];
  return given.some((value) => value !== undefined);
}

/** What these options say in the input of a batch; fields that are left out are missing. */
function batchFields(options: BatchOptions): object {
  const { atOnce, idPrefix, key, canary, tolerate, stopOn, onAbort, urgency } = options;
  const given = { atOnce, idPrefix, key, canary, tolerate, stopOn, onAbort, urgency };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The input of a batch, whose items are all checked before any connection. */
export function batchInput(
  session: Session,
  list: ItemList | undefined,
  { input, options, isPlan = false }: GivenBatch,
): Promise<RunBatchInput> {
  checkResultsFile(options.results, list?.source);
  return listedInput(session, {
    operation: Operation.runBatch,
    list,
    input: { ...input, ...batchFields(options), ...runFields(options) },
    faultsOf(batch, items) {
      const isInline = batch.items !== undefined;
      const faults = isInline ? itemFaults(batch) : listFaults(batchTerms(batch, ''), items);
      if (faults.length === 0 && !isPlan) refuseNameless(batch, items, options);
      return faults;
    },
  });
}

interface GivenBatch {
  input: object;
  options: RunOptions & BatchOptions;
  isPlan?: boolean;
}

/** What makes something needs names that stay when the list changes: a corrected line would move those of the others. */
function refuseNameless(
  { operation, key, idPrefix }: RunBatchInput,
  items: readonly unknown[],
  { requestId }: RunOptions,
): void {
  const isNamed = [requestId, idPrefix, key].some((name) => name !== undefined);
  if (isNamed || OPERATIONS[operation].repeat === 'now') return;
  const hasName = (item: unknown): boolean => item instanceof Object && 'requestId' in item;
  if (items.length > 0 && items.every(hasName)) return;
  throw new CliError({
    type: 'Usage',
    message: `A list of ${operation} makes something for each line, so its lines need names that stay when the list changes.`,
    advice:
      'Nothing was sent. Add --request-id ID: lines are then told apart by what they say; or --key FIELD, such as instance.name; or give each line a "requestId".',
    exitCode: ExitCode.badInput,
  });
}

/** Starts a batch, or joins the one that the request has, and prints its counts. */
export async function startBatch(
  session: Session,
  input: RunBatchInput,
  options: RunOptions & BatchOptions,
): Promise<void> {
  const operation = Operation.runBatch;
  const { requestId = requestIdOf(session, input), urgency, join } = options;
  const start = { operation, requestId, input, join, ...(urgency && { urgency }) };
  const linesOf = async (gcore: GcoreWorkflows, run: RunName) =>
    batchLines(await gcore.batchReport(run));
  await runBulk(session, start, { ...options, linesOf });
}

/** Of what lets something be so, each call is a new request, as that of a single one: who repeats it wants it now. */
function requestIdOf(session: Session, input: RunBatchInput): string {
  const isNow = OPERATIONS[input.operation].repeat === 'now';
  return isNow ? randomUUID() : requestIdOfList(session, Operation.runBatch, input);
}
