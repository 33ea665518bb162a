import { SearchAttribute } from '../contract/wire/names.js';
import { InvalidInputError } from './errors.js';
import { GrpcCode, grpcCodeOf } from './grpc-code.js';
import { isOperation } from './operations/index.js';
import {
  accountsOf,
  attributeFaults,
  filterFaults,
  toQuery,
  type RunFilter,
} from './run-filter.js';
import type { RunSummary } from './run-summary.js';

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

function needsAttributes({ phase, account, resource }: RunFilter): boolean {
  return phase !== undefined || account !== undefined || resource !== undefined;
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
export function isListed(
  filter: RunFilter,
  run: Pick<RunSummary, 'operation' | 'account' | 'state'>,
): boolean {
  if (!isOperation(run.operation)) return false;
  if (filter.open === true && run.state !== 'RUNNING') return false;
  return filter.account === undefined || accountsOf(filter).includes(run.account);
}
