/** Calls that change nothing, although they are no GET (OpenAPI: a quota check, a list of flavors). */
const CHANGE_NOTHING: readonly RegExp[] = [
  /^\/cloud\/v2\/instances\/\d+\/\d+\/check_limits$/,
  /^\/cloud\/v1\/instances\/\d+\/\d+\/available_flavors$/,
];

/** Whether a call may change something: what a plan must not send. */
export function isMutation({ method, path }: { method: string; path: string }): boolean {
  const isCheck = method === 'POST' && CHANGE_NOTHING.some((pattern) => pattern.test(path));
  return method !== 'GET' && !isCheck;
}
