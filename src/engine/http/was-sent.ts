import { types } from 'node:util';

/**
 * Error codes of a failed connection, when the system call is `connect`. A later `read` gives the
 * same codes when the route is lost while the client waits for an answer.
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
 * Error codes that occur only before a connection exists: the request cannot have been sent. A reset
 * is not among them, because it may come after the server has read everything.
 */
const NEVER_CONNECTED = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
]);

/**
 * The certificate of the server was not accepted, which is judged before the request. No other error of TLS
 * says when it came: an alert or a damaged record may follow the request.
 */
const NO_TRUST =
  /^(CERT_|ERR_TLS_CERT_ALTNAME_INVALID$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

interface ErrorNode {
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** The innermost causes of an error; one for each address that was tried. */
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
    NO_TRUST.test(code) ||
    (NOT_CONNECTED.has(code) && syscall === 'connect')
  );
}

/**
 * Whether a request may have reached the server, judged by the network error alone.
 * Every error that may occur after the first byte counts as sent.
 */
export function wasSent(error: unknown): boolean {
  const found = leaves(error);
  return found.length === 0 || !found.every(isBeforeRequest);
}

/** The code of a network error for a person, such as `ECONNREFUSED`. */
export function networkErrorCode(error: unknown): string {
  const code = leaves(error).find((node) => typeof node.code === 'string')?.code;
  if (typeof code === 'string') return code;
  return types.isNativeError(error) ? error.name : 'unknown network error';
}
