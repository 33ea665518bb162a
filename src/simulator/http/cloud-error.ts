import { randomUUID } from 'node:crypto';

import type { Fault } from '../../engine/core/failures.js';

type CloudErrorStatus = 400 | 401 | 404 | 405 | 409 | 413 | 422 | 500;

/** An error answer. The app turns it into the documented body of the area. */
export class CloudError extends Error {
  readonly status: CloudErrorStatus;
  readonly exceptionClass: string;
  readonly invalidFields: Record<string, string[]> | undefined;

  constructor(
    status: CloudErrorStatus,
    exceptionClass: string,
    answer: { message: string; invalidFields?: Record<string, string[]> },
  ) {
    super(answer.message);
    this.status = status;
    this.exceptionClass = exceptionClass;
    this.invalidFields = answer.invalidFields;
  }
}

/**
 * Body of an error in the area of the path. The storage area has only a text, the streaming area two
 * forms, FastEdge a text but no body for 404.
 */
export function errorBodyAt(path: string, error: CloudError): Record<string, unknown> | undefined {
  const { exceptionClass, message, invalidFields } = error;
  if (path.startsWith('/fastedge/')) return error.status === 404 ? undefined : { error: message };
  if (path.startsWith('/storage/')) {
    return { error: [message, ...textsOf(invalidFields)].join('; ') };
  }
  if (path.startsWith('/streaming/')) {
    return error.status === 422
      ? { errors: invalidFields }
      : { status: error.status, error: message };
  }
  return cloudErrorBody(exceptionClass, message, invalidFields);
}

function textsOf(invalidFields: Record<string, string[]> = {}): string[] {
  return Object.entries(invalidFields).map(([path, texts]) => `${path}: ${texts.join(', ')}`);
}

/** Body of every error of the cloud area. */
export function cloudErrorBody(
  exceptionClass: string,
  message: string,
  invalidFields?: Record<string, string[]>,
): Record<string, unknown> {
  return {
    exception_class: exceptionClass,
    message,
    request_id: randomUUID(),
    ...(invalidFields && { invalid_fields: invalidFields }),
  };
}

export function notFoundError(message: string): CloudError {
  return new CloudError(404, 'NotFoundError', { message });
}

export function methodNotAllowedError(method: string): CloudError {
  return new CloudError(405, 'MethodNotAllowedError', {
    message: `Method ${method} is not allowed`,
  });
}

export function conflictError(message: string): CloudError {
  return new CloudError(409, 'ConflictError', { message });
}

export function notAuthenticatedError(): CloudError {
  const message = 'Authentication credentials were not provided.';
  return new CloudError(401, 'not_authenticated', { message });
}

export function tokenNotValidError(message: string): CloudError {
  return new CloudError(401, 'token_not_valid', { message });
}

/** The answer of the streaming area to a body with wrong fields. */
export function unprocessableError(faults: readonly Fault[]): CloudError {
  const { message, invalidFields = {} } = validationError(faults);
  return new CloudError(422, 'ValidationError', { message, invalidFields });
}

/** For areas whose error body has only a text. */
export function badRequestError(message: string): CloudError {
  return new CloudError(400, 'ValidationError', { message });
}

export function validationError(faults: readonly Fault[]): CloudError {
  const invalidFields: Record<string, string[]> = {};
  for (const { path, message } of faults) (invalidFields[path] ??= []).push(message);
  const message = `Invalid value of ${Object.keys(invalidFields).join(', ')}`;
  return new CloudError(400, 'ValidationError', { message, invalidFields });
}
