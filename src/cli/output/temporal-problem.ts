import { NamespaceNotFoundError } from '@temporalio/common';

import { GrpcCode, grpcCodeOf } from '../../client/grpc-code.js';
import { FailureType } from '../../contract/index.js';
import type { Problem } from '../cli-error.js';
import { withCause } from './error-text.js';
import { ExitCode } from '../exit-code.js';

const TRANSIENT: ReadonlySet<number> = new Set([
  GrpcCode.deadlineExceeded,
  GrpcCode.resourceExhausted,
  GrpcCode.unavailable,
]);

/** The Temporal server is away or overloaded: a later call may succeed. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(grpcCodeOf(error) ?? -1);
}

/** Problems of the Temporal server or of the connection to it. */
export function temporalProblem(error: unknown): Problem | undefined {
  if (error instanceof NamespaceNotFoundError) {
    return {
      type: 'NamespaceNotFound',
      message: `${error.message}.`,
      advice: 'Name another with --namespace or TEMPORAL_NAMESPACE, or create it.',
      exitCode: ExitCode.failed,
    };
  }
  const code = grpcCodeOf(error);
  if (code === GrpcCode.unauthenticated || code === GrpcCode.permissionDenied) {
    return {
      type: FailureType.unauthorized,
      message: `The Temporal server refuses this client: ${withCause(error)}`,
      advice: 'Check TEMPORAL_API_KEY, or the TLS certificate, and the namespace.',
      exitCode: ExitCode.notAuthorised,
    };
  }
  return isTransient(error)
    ? {
        type: 'TemporalUnreachable',
        message: `The Temporal server does not answer: ${withCause(error)}`,
        advice: 'Run the command again when the server is back; repeating it is safe.',
        exitCode: ExitCode.failed,
      }
    : undefined;
}
