import { types } from 'node:util';

/**
 * Error codes of a connection that could not be made, from the system call that makes it. The same
 * codes come from a later `read`, when the route is lost while an answer is awaited.
 */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
]);

/**
 * Error codes that come before a connection only: the request cannot have left. A reset is not
 * among them; it may come after the server has read everything.
 */
const NEVER_CONNECTED = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
]);

/** TLS failed before the request: certificate and protocol errors of OpenSSL and Node. */
const TLS_FAILED =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

interface ErrorNode {
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** The error, its causes and, for several tried addresses, each of their errors. */
function leaves(error: unknown, depth = 0): ErrorNode[] {
  // By shape, not by class: an error of Node's fetch may come from another realm.
  if (typeof error !== 'object' || error === null || depth > 8) return [];
  const node: ErrorNode = error;
  const inner = Array.isArray(node.errors) ? node.errors : [node.cause];
  const found = inner.flatMap((child) => leaves(child, depth + 1));
  return found.length > 0 ? found : [node];
}

function isBeforeRequest({ code, syscall }: ErrorNode): boolean {
  if (typeof code !== 'string') return false;
  return (
    NEVER_CONNECTED.has(code) ||
    TLS_FAILED.test(code) ||
    (NOT_CONNECTED.has(code) && syscall === 'connect')
  );
}

/**
 * Whether a request may have reached the server, judged by the network error alone.
 * Anything that is not known to happen before the first byte counts as sent.
 */
export function wasSent(error: unknown): boolean {
  const found = leaves(error);
  return found.length === 0 || !found.every(isBeforeRequest);
}

/** The code that names a network error to a person, such as `ECONNREFUSED`. */
export function networkErrorCode(error: unknown): string {
  const code = leaves(error).find((node) => typeof node.code === 'string')?.code;
  if (typeof code === 'string') return code;
  return types.isNativeError(error) ? error.name : 'unknown network error';
}
