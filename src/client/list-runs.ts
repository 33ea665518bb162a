import { createHash } from 'node:crypto';

import type { Client } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';

import { SearchAttribute } from '../contract/wire/names.js';
import { InvalidInputError } from './errors.js';
import { GrpcCode, grpcCodeOf } from './server-calls.js';
import { isOperation } from './operations.js';
import {
  toQuery,
  accountsOf,
  attributeFaults,
  filterFaults,
  type RunFilter,
} from './run-filter.js';
import { summaryOfRaw, type RunSummary } from './run-summary.js';

/** Temporal's largest page. */
const MAX_PAGE = 1000;
const DEFAULT_LIMIT = 50;

/**
 * The runs of this product that fit, with one list call a page: the open ones first, the newest at the top, then those
 * that have ended, the last one to end at the top. The server may show a change a moment later. @throws InvalidInputError
 */
export function listRuns(client: Client, filter: RunFilter): Promise<RunSummary[]> {
  return askWithFilter(filter, (query) => collect(client, filter, query));
}

async function collect(client: Client, filter: RunFilter, query: string): Promise<RunSummary[]> {
  const { limit = DEFAULT_LIMIT } = filter;
  const { namespace } = client.options;
  const runs: RunSummary[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService
      .listWorkflowExecutions({
        namespace,
        query,
        nextPageToken,
        pageSize: Math.min(limit, MAX_PAGE),
      })
      .catch((error: unknown) => {
        throw asNamespaceFault(error, namespace);
      });
    const found = page.executions.map(summaryOfRaw);
    runs.push(...found.filter((run) => isListed(filter, run)));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0 && runs.length < limit);
  return runs.slice(0, limit);
}

/** As the SDK's own calls say it. Nothing else can be missing for a list. */
function asNamespaceFault(error: unknown, namespace: string): unknown {
  return grpcCodeOf(error) === GrpcCode.notFound ? new NamespaceNotFoundError(namespace) : error;
}

/** Which runs a page shows. `limit` is the size of the page. */
export interface PageFilter extends RunFilter {
  /** `next` of the page before. */
  page?: string;
  /**
   * For a reader who may know of these runs only. `next` holds the Run Id and the times of the run before it, and that there
   * is more: so a page ends with one of these.
   */
  shows?: (run: RunSummary) => boolean;
}

export interface RunPage {
  /** May be fewer than the limit, also before the last page. */
  runs: RunSummary[];
  /** Missing on the last page. */
  next?: string;
}

/**
 * One page of runs, in the order of a list, with one list call, or with a few for a reader who may not know of all.
 * @throws InvalidInputError
 */
export function listPage(client: Client, filter: PageFilter): Promise<RunPage> {
  return askWithFilter(filter, (query) => {
    const mark = createPageMark(`${client.options.namespace} ${toQuery(filter, true)}`);
    return ask(client, { filter, query, mark });
  });
}

interface Asking {
  filter: PageFilter;
  query: string;
  mark: PageMark;
}

async function ask(client: Client, { filter, query, mark }: Asking): Promise<RunPage> {
  const { limit = DEFAULT_LIMIT, shows = () => true } = filter;
  const read = async (token: Uint8Array, pageSize: number): Promise<Page> => {
    const { namespace } = client.options;
    const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
      ...{ namespace, query, pageSize },
      nextPageToken: token,
    });
    const all = executions.map(summaryOfRaw);
    return { all, shown: all.filter((run) => isListed(filter, run) && shows(run)), nextPageToken };
  };
  const first = mark.open(filter.page);
  const page = filter.shows ? await readShown(read, first, limit) : await read(first, limit);
  const { shown: runs, nextPageToken } = page;
  return { runs, ...(nextPageToken.length === 0 ? {} : { next: mark.seal(nextPageToken) }) };
}

interface Page {
  all: readonly RunSummary[];
  shown: RunSummary[];
  nextPageToken: Uint8Array;
}

/** Runs that a reader may not know of are passed over, so many at once and so often. */
const LOOK_AHEAD = 200;
const MOST_LOOKS = 10;

/** A page that ends with a run that is shown, or the last one. */
async function readShown(
  read: (token: Uint8Array, pageSize: number) => Promise<Page>,
  first: Uint8Array,
  limit: number,
): Promise<Page> {
  let token = first;
  let page = await read(token, limit);
  const isHidden = (): boolean => page.shown.length === 0 && page.nextPageToken.length > 0;
  for (let looks = 0; looks < MOST_LOOKS && isHidden(); looks++) {
    token = page.nextPageToken;
    page = await read(token, LOOK_AHEAD);
  }
  const last = page.shown.slice(0, limit).at(-1);
  const end = last === undefined ? page.all.length : page.all.indexOf(last) + 1;
  return end === page.all.length ? page : read(token, end);
}

/** The server's mark of a page, as text that fits its own list only. */
interface PageMark {
  seal: (token: Uint8Array) => string;
  /** Nothing for the first page. @throws InvalidInputError */
  open: (page: string | undefined) => Uint8Array;
}

const BYTES = 9;

/**
 * A server answers a mark of another list with wrong runs, and a mark that it never gave as if it were
 * away. So each has a checksum over the list. It is no secret: a forged mark shows nothing that a filter does not.
 */
export function createPageMark(list: string): PageMark {
  const sumOf = (token: Uint8Array): Buffer =>
    createHash('sha256').update(list).update('\n').update(token).digest().subarray(0, BYTES);
  return {
    seal: (token) => Buffer.concat([sumOf(token), token]).toString('base64url'),
    open(page) {
      if (page === undefined) return new Uint8Array();
      const bytes = Buffer.from(page, 'base64url');
      const token = bytes.subarray(BYTES);
      if (token.length > 0 && sumOf(token).equals(bytes.subarray(0, BYTES))) return token;
      throw new InvalidInputError([
        { path: 'page', message: 'is no page of this list: begin without it' },
      ]);
    },
  };
}

/**
 * Asks the server with the query of a filter, once more without the search attributes when the
 * namespace has none. @throws InvalidInputError
 */
export async function askWithFilter<T>(
  filter: RunFilter,
  ask: (query: string) => Promise<T>,
): Promise<T> {
  const faults = filterFaults(filter);
  if (faults.length > 0) throw new InvalidInputError(faults);
  try {
    return await ask(toQuery(filter, needsAttributes(filter)));
  } catch (error) {
    if (grpcCodeOf(error) !== GrpcCode.invalidArgument) throw error;
    const isOurs = ATTRIBUTE.test(messageOfCause(error));
    if (filter.query !== undefined && !isOurs) throw badQuery(error);
    const missing = attributeFaults(filter);
    if (missing.length > 0) throw new InvalidInputError(missing);
    if (!needsAttributes(filter)) throw badQuery(error);
    return ask(toQuery(filter, false));
  }
}

/** How the server names an unknown attribute of ours. */
const ATTRIBUTE = new RegExp(Object.values(SearchAttribute).join('|'));

function needsAttributes({ phase, account, resource, labels, search }: RunFilter): boolean {
  return [phase, account, resource, labels, search].some((given) => given !== undefined);
}

function badQuery(error: unknown): InvalidInputError {
  const message = `is refused by the Temporal server: ${messageOfCause(error)}`;
  return new InvalidInputError([{ path: 'query', message }]);
}

function messageOfCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.replace(/^\d+ [A-Z_]+: /, '');
}

/**
 * Whether a run that the server gave fits what the query could not say. A query with brackets of its
 * own can reach beyond the conditions around it.
 */
function isListed(
  filter: RunFilter,
  run: Pick<RunSummary, 'operation' | 'account' | 'closedAt' | 'state'>,
): boolean {
  if (!isOperation(run.operation) || run.state === 'CONTINUED_AS_NEW') return false;
  if (filter.open === true && run.closedAt !== undefined) return false;
  return filter.account === undefined || accountsOf(filter).includes(run.account);
}
