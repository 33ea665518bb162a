import type { Fault } from '../engine/core/failures.js';
import { canonicalAddress } from '../contract/wire/address.js';
import { Held, Operation, SearchAttribute, workflowIdFor } from '../contract/wire/names.js';
import { isLabelName, isLabelValue, searchableLabels, type Labels } from '../engine/core/labels.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { Phase } from '../engine/core/status.js';
import { IS_OPEN, quoteValue } from '../engine/core/text.js';

/** The phase of a run in a list: also what it holds, and ends that a run itself cannot record. */
export type ListedPhase = Phase | Held | 'terminated' | 'timed-out';

/** Which runs a list shows: those that fit everything given here. */
export interface RunFilter {
  /** Maximum number of runs; 50 when left out. */
  limit?: number;
  /** A run that waits is listed as `running`. */
  phase?: Exclude<ListedPhase, 'waiting'>;
  /** One, or any of several. */
  operation?: Operation | readonly Operation[];
  /** One, or any of several. */
  account?: string | readonly string[];
  /** Id of a resource that the run has made or found, or the address of an instance that it has made. */
  resource?: string;
  /** Only runs that have all of these labels, such as `{ group: 'incident-42' }`. */
  labels?: Labels;
  /**
   * What a person has at hand: a Workflow Id or its beginning, the id of a resource, or the beginning of a request id,
   * such as an address that is protected. A request id is looked for in the accounts of the filter, else in "default".
   */
  search?: string;
  /** Only runs that were started since then. */
  since?: Date;
  /** Only runs that have not ended. */
  open?: boolean;
  /** Only runs that have ended without success. A later run of the same request may have succeeded. */
  unsuccessful?: boolean;
  /** Also a list filter of Temporal, such as `WorkflowId STARTS_WITH "import-videos/"`. */
  query?: string;
}

/** How the server calls the end of a run in a filter or a count. */
export const CLOSED_AS: Partial<Record<ListedPhase, string>> = {
  succeeded: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
  terminated: 'Terminated',
  'timed-out': 'TimedOut',
};

const UNSUCCESSFUL = Object.values(CLOSED_AS)
  .filter((state) => state !== CLOSED_AS.succeeded)
  .map(quoteValue)
  .join(', ');

/** The phases that a filter can name, in the order of a run. */
export const LISTED_PHASES: readonly Exclude<ListedPhase, 'waiting'>[] = [
  ...[Phase.running, Phase.blocked, Phase.paused, Phase.rollingBack],
  ...[Held.protected, Held.notProtected],
  ...[Phase.succeeded, Phase.failed, Phase.cancelled],
  ...(['terminated', 'timed-out'] as const),
];

/** Every fault of a filter that may come from outside. */
export function filterFaults(filter: RunFilter): Fault[] {
  const { phase, resource, labels = {}, search, since } = filter;
  const operations = Object.keys(Operation);
  const isOneOf = (words: readonly string[], word: string | undefined): boolean =>
    word === undefined || words.includes(word);
  const faults: [boolean, Fault][] = [
    [isOneOf(LISTED_PHASES, phase), oneOf('phase', LISTED_PHASES)],
    [
      operationsOf(filter).every((name) => operations.includes(name)),
      oneOf('operation', operations),
    ],
    [accountsOf(filter).every(isQuotable), { path: 'account', message: UNQUOTABLE }],
    [isQuotable(resource ?? ''), { path: 'resource', message: UNQUOTABLE }],
    [Object.entries(labels).every(isLabel), { path: 'labels', message: NO_LABEL }],
    [isQuotable(search ?? ''), { path: 'search', message: UNQUOTABLE }],
    [!Number.isNaN(since?.getTime()), { path: 'since', message: 'must be a time' }],
  ];
  return faults.filter(([isFit]) => !isFit).map(([, fault]) => fault);
}

const UNQUOTABLE = 'must not contain quotes, backslashes or control characters';

const NO_LABEL = 'must be names and values that a run can have, such as team=media';

function isLabel([name, value]: readonly [string, string]): boolean {
  return isLabelName(name) && isLabelValue(value);
}

function isQuotable(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return !/["'`\\\u0000-\u001f\u007f]/.test(text);
}

function oneOf(path: string, words: readonly string[]): Fault {
  return { path, message: `must be one of ${words.join(', ')}` };
}

/** A run that goes on in its next history is listed there: the history before has no end of its own, and recorded an old phase. */
const IS_NEWEST_HISTORY = 'ExecutionStatus != "ContinuedAsNew"';

/** The filter in Temporal's language. Without the search attributes it leaves out what needs them. */
export function toQuery(filter: RunFilter, hasAttributes: boolean): string {
  const { resource, labels = {}, search, since } = filter;
  const { open = false, unsuccessful = false, query } = filter;
  return [
    `WorkflowType IN (${operationsOf(filter).map(quoteValue).join(', ')})`,
    IS_NEWEST_HISTORY,
    ...phaseClauses(filter, hasAttributes),
    ...accountClauses(filter, hasAttributes),
    ...(resource === undefined ? [] : [`${SearchAttribute.resourceId} = ${quoteValue(resource)}`]),
    ...searchableLabels(labels).map((label) => `${SearchAttribute.labels} = ${quoteValue(label)}`),
    ...(search === undefined ? [] : [searchClause(search, filter, hasAttributes)]),
    ...(since === undefined ? [] : [`StartTime >= ${quoteValue(since.toISOString())}`]),
    ...(open ? [IS_OPEN] : []),
    ...(unsuccessful ? [`ExecutionStatus IN (${UNSUCCESSFUL})`] : []),
    ...(query === undefined ? [] : [`(${query})`]),
  ].join(' AND ');
}

function searchClause(search: string, filter: RunFilter, hasAttributes: boolean): string {
  const startsWith = (id: string): string => `WorkflowId STARTS_WITH ${quoteValue(id)}`;
  const accounts = filter.account === undefined ? [DEFAULT_ACCOUNT] : accountsOf(filter);
  const requestIds = [...new Set([search, canonicalAddress(search)])];
  const ids = operationsOf(filter).flatMap((operation) =>
    accounts.flatMap((account) => requestIds.map((id) => workflowIdFor(operation, account, id))),
  );
  const { resourceId } = SearchAttribute;
  return `(${[
    ...[search, ...ids].map(startsWith),
    ...(hasAttributes ? [`${resourceId} IN (${requestIds.map(quoteValue).join(', ')})`] : []),
  ].join(' OR ')})`;
}

function operationsOf({ operation }: RunFilter): readonly Operation[] {
  if (operation === undefined) return Object.values(Operation);
  return typeof operation === 'string' ? [operation] : operation;
}

function phaseClauses({ phase }: RunFilter, hasAttributes: boolean): string[] {
  if (phase === undefined) return [];
  const ending = CLOSED_AS[phase];
  if (ending !== undefined) return [`ExecutionStatus = ${quoteValue(ending)}`];
  if (!hasAttributes) return [IS_OPEN];
  const is = `${SearchAttribute.phase} = ${quoteValue(phase)}`;
  // A run that no worker has taken yet has recorded nothing.
  return [IS_OPEN, phase === Phase.running ? `(${is} OR ${SearchAttribute.phase} IS NULL)` : is];
}

/** A run that has recorded no account is sorted out by its id. */
function accountClauses({ account }: RunFilter, hasAttributes: boolean): string[] {
  if (account === undefined || !hasAttributes) return [];
  const { account: name } = SearchAttribute;
  const named = accountsOf({ account }).map(quoteValue).join(', ');
  return [`(${name} IN (${named}) OR ${name} IS NULL)`];
}

/** The accounts that a filter names. */
export function accountsOf({ account }: RunFilter): readonly string[] {
  if (account === undefined) return [];
  return typeof account === 'string' ? [account] : account;
}

/** What a filter asks for that only the search attributes can tell. */
export function attributeFaults({ phase, resource, labels }: RunFilter): Fault[] {
  const isRecorded = phase !== undefined && phase !== Phase.running && !(phase in CLOSED_AS);
  const needed = {
    phase: isRecorded,
    resource: resource !== undefined,
    labels: labels !== undefined,
  };
  return Object.entries(needed)
    .filter(([, isNeeded]) => isNeeded)
    .map(([path]) => ({ path, message: NO_ATTRIBUTES }));
}

const NO_ATTRIBUTES =
  'needs the search attributes, which this namespace does not have: create them as docs/operate.md says';
