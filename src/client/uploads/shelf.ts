import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { z } from 'zod';

import {
  claimWorkflowId,
  countPieces,
  indexWorkflowId,
  KEEP_UPLOAD,
  KEPT_DAYS,
  MAX_UPLOAD_BYTES,
  pieceWorkflowId,
  UPLOAD_PREFIX,
  uploadOfId,
  type UploadIndex,
  type UploadName,
} from '../../contract/wire/uploads.js';
import { LIST_OPERATIONS } from '../../contract/uploads.js';
import { quoteValue } from '../../engine/core/text.js';
import { decodePayloads, toMs } from '../explain/decode.js';
import { GrpcCode, grpcCodeOf } from '../server-calls.js';

const factsSchema = z.object({
  operation: z.enum(LIST_OPERATIONS),
  lines: z.int().min(0),
  bytes: z.int().min(0).max(MAX_UPLOAD_BYTES),
  /** Who has uploaded it. */
  by: z.string(),
});

/** What a claim says of its list. */
export type UploadFacts = z.infer<typeof factsSchema>;

/** A run that keeps something, and goes on to do so. */
export interface KeptRun {
  runId: string;
  /** Milliseconds since 1970. */
  since: number;
  /** Of a claim that can be read. */
  facts: UploadFacts | undefined;
}

/** A claim or an index, as the server lists it. */
export interface ListedPart extends KeptRun {
  name: UploadName;
  isClaim: boolean;
}

/** Where uploaded lists are kept. */
export interface Shelf {
  /** The run of this id, unless it has ended. */
  find: (workflowId: string) => Promise<KeptRun | undefined>;
  /**
   * Keeps content under this id, for 30 days. False when something is kept there: then nothing changes.
   * @param replaced the run that ends by this, and is deleted
   */
  keep: (workflowId: string, content: Content, replaced?: KeptRun) => Promise<boolean>;
  /** Removes the newest run of this id, if there is one. */
  remove: (workflowId: string) => Promise<void>;
  /** All claims and indexes. The server may list a change a moment later. */
  list: () => Promise<ListedPart[]>;
  /** Whether the server lists the run of this id already. */
  isListed: (workflowId: string) => Promise<boolean>;
}

interface Content {
  /** Left out for a claim. */
  input?: Uint8Array | UploadIndex;
  facts?: UploadFacts;
}

const FACTS_MEMO = 'upload';
/** Temporal's largest page. */
const PAGE = 1_000;

export interface ShelfDeps {
  client: Client;
  taskQueue: string;
}

export function createShelf(deps: ShelfDeps): Shelf {
  const { client } = deps;
  const { namespace } = client.options;
  const removeRun = async (workflowId: string, runId = ''): Promise<void> => {
    const workflowExecution = { workflowId, runId };
    const removed = client.workflowService.deleteWorkflowExecution({
      namespace,
      workflowExecution,
    });
    await removed.catch(unlessGone);
  };
  return {
    find: (workflowId) => find(client, workflowId),

    async keep(workflowId, content, replaced) {
      const replaces = replaced !== undefined;
      const isNew = await start(deps, workflowId, { ...content, replaces });
      if (replaced !== undefined) await removeRun(workflowId, replaced.runId);
      return isNew;
    },

    remove: (workflowId) => removeRun(workflowId),

    list: () => list(client),

    async isListed(workflowId) {
      const query = keptQuery(`WorkflowId = ${quoteValue(workflowId)}`);
      const request = { namespace, query, pageSize: 1 };
      const { executions } = await client.workflowService.listWorkflowExecutions(request);
      return executions.length > 0;
    },
  };
}

function unlessGone(error: unknown): undefined {
  if (grpcCodeOf(error) !== GrpcCode.notFound) throw error;
}

const { WORKFLOW_EXECUTION_STATUS_RUNNING: RUNNING } =
  proto.temporal.api.enums.v1.WorkflowExecutionStatus;

async function find(client: Client, workflowId: string): Promise<KeptRun | undefined> {
  const { namespace } = client.options;
  // The call of the SDK would decode the memo.
  const described = await client.workflowService
    .describeWorkflowExecution({ namespace, execution: { workflowId } })
    .catch(unlessGone);
  const info = described?.workflowExecutionInfo;
  if (info?.status !== RUNNING) return undefined;
  return toKept(client, workflowId, info);
}

async function start(
  { client, taskQueue }: ShelfDeps,
  workflowId: string,
  { input, facts, replaces }: Content & { replaces: boolean },
): Promise<boolean> {
  try {
    await client.workflow.start(KEEP_UPLOAD, {
      workflowId,
      taskQueue,
      args: input === undefined ? [] : [input],
      startDelay: `${KEPT_DAYS} days`,
      workflowIdConflictPolicy: replaces ? 'TERMINATE_EXISTING' : 'FAIL',
      staticSummary: 'a part of an uploaded list',
      ...(facts && { memo: { [FACTS_MEMO]: facts } }),
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

function keptQuery(which: string): string {
  return `WorkflowType = ${quoteValue(KEEP_UPLOAD)} AND ExecutionStatus = 'Running' AND ${which}`;
}

async function list(client: Client): Promise<ListedPart[]> {
  const { namespace } = client.options;
  const query = keptQuery(`WorkflowId STARTS_WITH ${quoteValue(UPLOAD_PREFIX)}`);
  const parts: ListedPart[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      nextPageToken,
      pageSize: PAGE,
    });
    const read = await Promise.all(page.executions.map((run) => toPart(client, run)));
    parts.push(...read.flatMap((part) => part ?? []));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return parts;
}

type RawRun = proto.temporal.api.workflow.v1.IWorkflowExecutionInfo;

async function toPart(client: Client, run: RawRun): Promise<ListedPart | undefined> {
  const { workflowId } = run.execution ?? {};
  const found = uploadOfId(workflowId ?? '');
  if (found === undefined || !workflowId) return undefined;
  return { ...found, ...(await toKept(client, workflowId, run)) };
}

async function toKept(client: Client, workflowId: string, run: RawRun): Promise<KeptRun> {
  const facts = await factsOf(client, run, workflowId);
  return { runId: run.execution?.runId ?? '', since: toMs(run.startTime), facts };
}

/** Nothing where a key is missing, or somebody else has written it. */
async function factsOf(
  client: Client,
  run: RawRun,
  workflowId: string,
): Promise<UploadFacts | undefined> {
  const { namespace, loadedDataConverter } = client.options;
  const payload = run.memo?.fields?.[FACTS_MEMO];
  const reader = { type: 'workflow', namespace, workflowId } as const;
  try {
    const [facts] = await decodePayloads(loadedDataConverter, payload ? [payload] : [], reader);
    return factsSchema.safeParse(facts).data;
  } catch {
    return undefined;
  }
}

/** Removes all of a list. The index goes first: where there is one, there are all pieces. */
export async function removeList(
  shelf: Pick<Shelf, 'remove'>,
  name: UploadName,
  { bytes = MAX_UPLOAD_BYTES }: { bytes?: number | undefined } = {},
): Promise<void> {
  await shelf.remove(indexWorkflowId(name));
  for (let at = 0; at < countPieces({ bytes }); at++) {
    await shelf.remove(pieceWorkflowId(name, at));
  }
  await shelf.remove(claimWorkflowId(name));
}
