/** `ENOENT` and the like: the message of the error may hold a part of a file. */
export function errorCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode ? String(error.code) : 'unknown reason';
}
