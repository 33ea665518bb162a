import { idFaults } from '../../engine/core/input-limits.js';
import { ProblemError } from '../problems/problem.js';

/** Temporal's longest Workflow Id. */
const MAX_LENGTH = 1_000;

/**
 * The Workflow Id in the path, after `runs`: `/v1/runs/<id>/…`. It is one segment, percent-encoded
 * once: a slash of the id is `%2F`. Taken from the path as it was sent, because a router may decode it twice.
 * @throws ProblemError (400)
 */
export function runIdOf(url: string): string {
  const segments = new URL(url).pathname.split('/');
  const segment = segments[segments.indexOf('runs') + 1] ?? '';
  const id = decoded(segment);
  if (id === undefined) throw badId('is not percent-encoded UTF-8');
  if (id.length > MAX_LENGTH) throw badId(`must have at most ${MAX_LENGTH} characters`);
  const [fault] = idFaults('id', id);
  if (fault !== undefined) throw badId(fault.message);
  return id;
}

/** The path of a run. */
export function runPath(workflowId: string): string {
  return `/v1/runs/${encodeURIComponent(workflowId)}`;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function badId(message: string): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'BadRequest',
    title: 'The id in the path is not valid',
    detail: `The id in the path ${message}.`,
    advice: 'Encode the Workflow Id as one segment, as encodeURIComponent does.',
    faults: [{ parameter: 'id', message }],
  });
}
