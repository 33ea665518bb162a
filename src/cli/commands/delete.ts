import { RunNotFoundError, type GcoreWorkflows, type RunSummary } from '../../client/index.js';
import { batchLines, startedIn, type BatchLine } from '../../contract/batch-lines.js';
import {
  DEFAULT_ACCOUNT,
  Operation,
  operationSchemas,
  workflowIdFor,
  type BatchReport,
  type DeleteInstanceInput,
} from '../../contract/index.js';
import { plural } from '../../engine/core/text.js';
import type { Cli } from '../cli.js';
import { CliError, ExitCode } from '../cli-error.js';
import { checkInput } from '../input/read-input.js';
import { deriveRequestId } from '../input/request-id.js';
import {
  placeFields,
  runFields,
  takesPlace,
  takesRunOptions,
  type PlaceOptions,
  type RunOptions,
} from '../input/run-options.js';
import { readWordsOrList, unplaced, type ItemList } from '../input/read-list.js';
import {
  asksForBatch,
  batchInput,
  startBatch,
  takesBatchOptions,
  type BatchOptions,
} from '../start-batch.js';
import type { Session } from '../session.js';
import { startAndFollow } from '../start-run.js';
import { withGcore } from '../with-gcore.js';

interface DeleteOptions extends RunOptions, PlaceOptions, BatchOptions {
  file?: string;
  madeBy?: string;
  volumes: string;
  floatingIps: string;
  unlessFloatingIp?: string;
  unlessSnapshots?: boolean;
}

const EXAMPLES = `
Examples:
  gcore-workflows delete --made-by order-4711 --volumes delete --floating-ips delete
  gcore-workflows delete --made-by run-batch/default/fleet-7 --volumes delete --floating-ips keep
  gcore-workflows delete 9f1c2d3e-… --volumes keep --floating-ips keep
  gcore-workflows delete 9f1c2d3e-… --volumes 5bf488f5-…,7a20c1de-… --floating-ips keep
  gcore-workflows delete --file ids.txt --volumes delete --floating-ips delete

"delete" means all attached ones. A deletion cannot be undone, and the command
does not ask for confirmation. To see first what it would delete:
  gcore-workflows plan delete-instance FILE`;

export function addDelete({ program, session }: Cli): void {
  const command = program
    .command('delete')
    .description('delete instances and their chosen volumes and floating IPs; verified')
    .argument('[INSTANCE_ID...]', 'ids of instances; several become one batch')
    .option('-f, --file <FILE>', 'ids of instances or inputs of deleteInstance, one a line')
    .option(
      '--made-by <REQUEST_ID>',
      'request id or workflow id of the run that created it, or of the batch',
    )
    .requiredOption('--volumes <WHICH>', 'delete, keep, or ids separated by commas')
    .requiredOption('--floating-ips <WHICH>', 'delete, keep, or ids separated by commas')
    .option(
      '--unless-floating-ip <ID>',
      'delete no instance to which this floating IP leads, or if it leads to none',
    )
    .option('--unless-snapshots', 'delete no volume of which there is a snapshot');
  takesBatchOptions(
    takesRunOptions(takesPlace(command), 'name of this request; default: from the input'),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (ids: string[], options: DeleteOptions) => {
      const isBatch = ids.length === 1 && asksForBatch(options);
      if (ids.length > 1 || options.file !== undefined || isBatch) {
        await deleteAll(session(), ids, options);
        return;
      }
      const current = session();
      const schema = operationSchemas[Operation.deleteInstance].input;
      const input = checkInput(schema, toInput(ids[0], options));
      const made = await madeByBatch(current, options);
      if (made === undefined) await deleteInstance(current, input, options);
      else await deleteMade(current, made, options);
    });
}

async function deleteMade(
  session: Session,
  { batch, items, joined, failed, unknown }: MadeByBatch,
  options: DeleteOptions,
): Promise<void> {
  if (items.length > 0) await deleteListed(session, unplaced(items), options);
  const left = [
    ...(failed.length > 0 ? [mayHaveLeft(session, batch, failed)] : []),
    ...(joined.length > 0 ? [madeByOthers(batch, joined)] : []),
    ...(unknown > 0 ? [mayHaveBegun(session, batch, unknown)] : []),
  ];
  const [first, ...others] = left;
  if (first !== undefined) throw others.reduce(together, first);
}

/** All that was not deleted is told at once. */
function together({ problem: one }: CliError, { problem: other }: CliError): CliError {
  return new CliError({
    ...one,
    message: `${one.message} ${other.message}`,
    advice: `${one.advice} ${other.advice}`,
    faults: [...(one.faults ?? []), ...(other.faults ?? [])],
  });
}

async function deleteAll(
  session: Session,
  ids: readonly string[],
  options: DeleteOptions,
): Promise<void> {
  const { file } = options;
  const list =
    file === undefined
      ? unplaced(ids.map(toItem))
      : await readWordsOrList(file, session.io, toItem);
  await deleteListed(session, list, options);
}

async function deleteListed(
  session: Session,
  list: ItemList,
  options: DeleteOptions,
): Promise<void> {
  const defaults = partsOf(options);
  const input = { operation: Operation.deleteInstance, defaults };
  await startBatch(session, await batchInput(session, list, { input, options }), options);
}

function toItem(instanceId: string): object {
  return { instanceId };
}

function toInput(instanceId: string | undefined, options: DeleteOptions): Record<string, unknown> {
  const { madeBy, account } = options;
  const input = {
    instanceId,
    madeBy: madeBy === undefined ? undefined : toWorkflowId(madeBy, account),
    ...partsOf(options),
    ...runFields(options),
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** What the options say of every instance. */
function partsOf(options: DeleteOptions): Record<string, unknown> {
  const { volumes, floatingIps, unlessFloatingIp, unlessSnapshots } = options;
  return {
    volumes: toChoice(volumes),
    floatingIps: toChoice(floatingIps),
    ...(unlessFloatingIp !== undefined && { unlessFloatingIpId: unlessFloatingIp }),
    ...(unlessSnapshots === true && { unlessSnapshots }),
    ...placeFields(options),
  };
}

/** `order-4711` → `provision-instance/default/order-4711`; a Workflow Id stays unchanged. */
function toWorkflowId(madeBy: string, account = DEFAULT_ACCOUNT): string {
  if (madeBy === '' || madeBy.includes('/')) return madeBy;
  return workflowIdFor(Operation.provisionInstance, account, madeBy);
}

/** What a batch that has ended has made. */
interface MadeByBatch {
  /** Its Workflow Id. */
  batch: string;
  items: { madeBy: string }[];
  /** Of runs that somebody else has started: the batch has only waited for them. */
  joined: BatchLine[];
  /** A run that was ended from outside, or that was told to keep what it makes, has removed nothing. */
  failed: BatchLine[];
  /** Number of lines that one which was ended from outside may have begun, and could not report. */
  unknown: number;
}

/** `undefined` where `--made-by` names no batch. */
function madeByBatch(
  session: Session,
  { madeBy, account = DEFAULT_ACCOUNT }: DeleteOptions,
): Promise<MadeByBatch | undefined> {
  if (madeBy === undefined) return Promise.resolve(undefined);
  return withGcore(session, async (gcore) => {
    const run = await findBatch(gcore, madeBy, account);
    if (run === undefined) return undefined;
    const { workflowId: batch, runId, closedAt } = run;
    if (closedAt === undefined) throw stillMakes(session, batch);
    const made = madeIn(run, await gcore.batchReport({ workflowId: batch, runId }));
    session.progress.notice(describeMade(made));
    return made;
  });
}

function madeIn(
  { workflowId: batch, state }: RunSummary,
  report: BatchReport,
): MadeByBatch & { lines: number } {
  if (report.operation !== Operation.provisionInstance) {
    throw madeNothing(`${batch} is a batch of ${report.operation}, which makes no instance.`);
  }
  const lines = [...batchLines(report)];
  const failed = lines.filter(({ outcome }) => outcome === 'failed');
  const begun = lines.filter((line) => line.workflowId !== undefined && line.outcome !== 'failed');
  const joined = begun.filter((line) => line.joined === true);
  const items = begun.flatMap(startedIn).map((madeBy) => ({ madeBy }));
  const others = lines.length - begun.length - failed.length;
  // It has looked for nothing at its end, and a list that it had not read yet has no lines.
  const unknown = CUT_SHORT.has(state) ? Math.max(others, lines.length === 0 ? 1 : 0) : 0;
  if (begun.length + failed.length + unknown === 0)
    throw madeNothing(`No run of ${batch} has made anything.`);
  return { batch, items, joined, failed, unknown, lines: lines.length };
}

/** Ends that a run cannot report. */
const CUT_SHORT: ReadonlySet<string> = new Set(['TERMINATED', 'TIMED_OUT']);

function describeMade(made: ReturnType<typeof madeIn>): string {
  const { batch, items, joined, failed, unknown, lines } = made;
  const others = lines - items.length - joined.length - failed.length - unknown;
  const parts = [
    ...(joined.length === 0 ? [] : [`${plural(joined.length, 'line')} joined runs of others`]),
    ...(failed.length === 0 ? [] : [`${plural(failed.length, 'line')} failed`]),
    ...(unknown === 0 ? [] : ['nobody knows of the others whether they were begun']),
    ...(others <= 0 ? [] : [`${plural(others, 'line')} made nothing`]),
  ];
  return [`${plural(items.length, 'instance')} of ${batch}`, ...parts].join('; ');
}

/** `undefined` where no batch is meant. The worker judges any other run. */
async function findBatch(
  gcore: GcoreWorkflows,
  madeBy: string,
  account: string,
): Promise<RunSummary | undefined> {
  const batch = workflowIdFor(Operation.runBatch, account, madeBy);
  const ids = madeBy.includes('/') ? [madeBy] : [toWorkflowId(madeBy, account), batch];
  for (const id of ids) {
    const run = await gcore.summary(id).catch(orUndefinedIfNone);
    if (run !== undefined) return run.operation === Operation.runBatch ? run : undefined;
  }
  return undefined;
}

function orUndefinedIfNone(error: unknown): undefined {
  if (!(error instanceof RunNotFoundError)) throw error;
}

function madeNothing(message: string): CliError {
  return new CliError({
    type: 'InvalidInput',
    message,
    advice: 'Nothing was sent. Name the run of provisionInstance, or a batch of it.',
    exitCode: ExitCode.badInput,
  });
}

function stillMakes({ hint }: Session, batch: string): CliError {
  return new CliError({
    type: 'BatchOpen',
    message: `The batch ${batch} goes on: it makes further instances. Nothing was sent.`,
    advice: `Wait for its end: ${hint('watch', batch)}; or end it first: ${hint('cancel', batch)}. Then run the command again.`,
    exitCode: ExitCode.failed,
    workflowId: batch,
  });
}

function mayHaveLeft({ hint }: Session, batch: string, failed: readonly BatchLine[]): CliError {
  const [{ workflowId = 'ID' } = {}] = failed;
  return new CliError({
    type: 'SomeFailed',
    message: `${plural(failed.length, 'line')} of ${batch} had failed, and what they may have left was not deleted.`,
    advice: `See what each has left, such as: ${hint('explain', workflowId)}. Delete that by its run (--made-by ID, with the other options of this command).`,
    exitCode: ExitCode.someItemsFailed,
    workflowId: batch,
    faults: failed.map(({ line, workflowId: id, text = '' }) => ({
      path: id ?? `line ${line}`,
      message: `failed: it may have left something. ${text}`,
    })),
  });
}

function madeByOthers(batch: string, joined: readonly BatchLine[]): CliError {
  return new CliError({
    type: 'SomeFailed',
    message: `${plural(joined.length, 'line')} of ${batch} had joined runs that somebody else has started, and what these have made was not deleted.`,
    advice: `Delete what is yours by its run (--made-by ID, with the other options of this command).`,
    exitCode: ExitCode.someItemsFailed,
    workflowId: batch,
    faults: joined.map(({ line, workflowId: id }) => ({
      path: id ?? `line ${line}`,
      message: 'somebody else has started it',
    })),
  });
}

function mayHaveBegun({ hint }: Session, batch: string, unknown: number): CliError {
  return new CliError({
    type: 'SomeFailed',
    message: `${batch} was ended from outside, and may have begun ${plural(unknown, 'line')} that it could not report: what these have made was not deleted.`,
    advice: `See which runs it has started: ${hint('list', '--group', 'GROUP')} (the request id of the batch, unless its input names a group). Delete what each has made by its run (--made-by ID, with the other options of this command).`,
    exitCode: ExitCode.someItemsFailed,
    workflowId: batch,
  });
}

function toChoice(text: string): string | string[] {
  return text === 'delete' || text === 'keep' ? text : text.split(',').map((id) => id.trim());
}

async function deleteInstance(
  session: Session,
  input: DeleteInstanceInput,
  { requestId = deriveRequestId(input), wait, timeout: timeoutMs, join }: DeleteOptions,
): Promise<void> {
  await withGcore(session, async (gcore) => {
    const start = { operation: Operation.deleteInstance, requestId, input, join };
    await startAndFollow({ session, gcore }, start, { wait, timeoutMs });
  });
}
