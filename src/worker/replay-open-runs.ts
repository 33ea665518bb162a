import { DefaultLogger, IllegalStateError, Runtime, Worker } from '@temporalio/worker';
import type { temporal } from '@temporalio/proto';

import { openCodec, type CodecKeys } from '../codec/open-codec.js';
import type { Codec, Payload } from '../codec/codec.js';
import type { PayloadOwner } from '../codec/payload-owner.js';
import type { TemporalConfig } from '../config.js';
import { DELIVER_WEBHOOKS, HOLD_TURN, LEASE_WATCHES } from '../engine/core/names.js';
import { IS_OPEN, quoteValue } from '../engine/core/text.js';
import { Operation, WORKFLOW_TASK_QUEUE } from '../contract/wire/names.js';
import { ACTIVATION_LIMIT } from './activation-limit.js';
import { readBuildId } from './build-id.js';
import { connectToTemporal } from './connect.js';
import type { CutShortDeps } from './cut-short.js';
import { isNotFound } from './is-not-found.js';
import { listOpenRuns, type OpenRun } from './list-open-runs.js';
import { BundlePart, bundlePath as builtPath } from './workflow-bundle.js';

export interface ReplayOptions {
  temporal: TemporalConfig;
  /** The key ring of the workers; without it encrypted histories cannot be read. */
  codecKeys?: CodecKeys | undefined;
  /** Most runs that are replayed. */
  limit: number;
  /** A list filter of Temporal. */
  query?: string | undefined;
  onProgress: (replayed: number) => void;
  taskQueue?: string;
  /** Default: that of this program. */
  bundlePath?: string;
}

export interface ReplayReport {
  /** What replayed them. */
  build: string | undefined;
  /** Open runs that fit, with locks and deliveries. */
  open: number;
  replayed: number;
  broken: FailedReplay[];
  /** Could not be decrypted here, which says nothing about the code. */
  unreadable: FailedReplay[];
  /** Ended while they were read, or longer than `MAX_EVENTS`. */
  skipped: number;
}

interface FailedReplay {
  workflowId: string;
  runId: string;
  reason: string;
}

type History = temporal.api.history.v1.IHistory;
const TYPES = [...Object.values(Operation), HOLD_TURN, LEASE_WATCHES, DELIVER_WEBHOOKS];
/** Of one history: the memory of this process is not endless. */
const MAX_EVENTS = 20_000;
const SAY_EVERY = 50;
const MAX_REASON = 300;

/** Replays open runs of a server with the workflow code of this program. Only reads. */
export async function replayOpenRuns(options: ReplayOptions): Promise<ReplayReport> {
  const { temporal: config, bundlePath } = options;
  installQuietRuntime();
  const codec = await openCodec(options.codecKeys);
  const codePath = bundlePath ?? builtPath(codec.hasKeys ? [BundlePart.encrypted] : []);
  const { signal } = new AbortController();
  const connection = await connectToTemporal({
    connectionOptions: config.connectionOptions,
    signal,
    onRetry: () => undefined,
  });
  const deps = { connection, namespace: config.namespace ?? 'default' };
  try {
    const { runs, open } = await findRuns(deps, options, options.limit);
    const build = await readBuildId(bundlePath === undefined ? undefined : [bundlePath]);
    const report = {
      build,
      open,
      replayed: 0,
      skipped: 0,
      broken: [],
      unreadable: [],
    } satisfies ReplayReport;
    const how = { ...options, codec, codePath, namespace: deps.namespace };
    await replay(readHistories(deps, runs, report), how, report);
    return report;
  } finally {
    await connection.close();
  }
}

async function replay(
  histories: ReturnType<typeof readHistories>,
  {
    codec,
    codePath,
    namespace,
    onProgress,
  }: Pick<ReplayOptions, 'onProgress'> & { codec: Codec; codePath: string; namespace: string },
  report: ReplayReport,
): Promise<void> {
  const { codec: watched, takeFault } = watchDecoding(codec, namespace);
  // The bundle has the converter of failures.
  const dataConverter = { payloadCodecs: [watched] };
  const options = { workflowBundle: { codePath }, dataConverter, ...ACTIVATION_LIMIT };
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(options, histories)) {
    const fault = takeFault();
    report.replayed += 1;
    if (fault !== undefined) report.unreadable.push({ workflowId, runId, reason: fault });
    else if (error !== undefined)
      report.broken.push({ workflowId, runId, reason: reasonOf(error) });
    if (report.replayed % SAY_EVERY === 0) onProgress(report.replayed);
  }
}

/**
 * The codec of this namespace: the SDK replays in one of its own. What the last history lacked is known afterwards:
 * histories are replayed one after the other.
 */
function watchDecoding(codec: Codec, namespace: string) {
  let fault: string | undefined;
  return {
    codec: {
      ...codec,
      decode: async (payloads: Payload[], reader?: PayloadOwner) => {
        try {
          return await codec.decode(payloads, reader && { ...reader, namespace });
        } catch (error) {
          fault = error instanceof Error ? error.message : String(error);
          throw error;
        }
      },
    },
    takeFault: () => {
      const found = fault;
      fault = undefined;
      return found;
    },
  };
}

/** Some of every workflow type, so that a thousand equal runs do not hide the one that differs. */
async function findRuns(
  deps: CutShortDeps,
  { query, taskQueue = WORKFLOW_TASK_QUEUE }: ReplayOptions,
  limit: number,
): Promise<{ runs: OpenRun[]; open: number }> {
  const found: OpenRun[][] = [];
  let open = 0;
  for (const type of TYPES) {
    const filter = [
      `TaskQueue = ${quoteValue(taskQueue)} AND WorkflowType = '${type}' AND ${IS_OPEN}`,
      ...(query === undefined ? [] : [`(${query})`]),
    ].join(' AND ');
    found.push(await listOpenRuns(deps, filter, limit));
    open += await countRuns(deps, filter);
  }
  return { runs: takeInTurns(found, limit), open };
}

/** The first of each list, then the second of each, and so on. */
export function takeInTurns<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const all = Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  );
  return all.flat().slice(0, limit);
}

async function countRuns({ connection, namespace }: CutShortDeps, query: string): Promise<number> {
  const { count } = await connection.workflowService.countWorkflowExecutions({ namespace, query });
  return Number(count);
}

async function* readHistories(
  deps: CutShortDeps,
  runs: readonly OpenRun[],
  report: Pick<ReplayReport, 'skipped'>,
): AsyncGenerator<{ workflowId: string; history: History }> {
  for (const run of runs) {
    const history = await readHistory(deps, run);
    if (history === undefined) report.skipped += 1;
    else yield { workflowId: run.workflowId, history };
  }
}

/** `undefined` when the run is gone, or its history too long. */
async function readHistory(
  { connection, namespace }: CutShortDeps,
  execution: OpenRun,
): Promise<History | undefined> {
  const events: NonNullable<History['events']> = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  try {
    do {
      const request = { namespace, execution, nextPageToken };
      const page = await connection.workflowService.getWorkflowExecutionHistory(request);
      events.push(...(page.history?.events ?? []));
      nextPageToken = page.nextPageToken;
    } while (nextPageToken.length > 0 && events.length <= MAX_EVENTS);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  return events.length > MAX_EVENTS ? undefined : { events };
}

function reasonOf(error: Error): string {
  return `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON);
}

/** A replay that fails is a result here, not a line of a log. */
function installQuietRuntime(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => undefined),
      telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    });
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
}
