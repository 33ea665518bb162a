/** POSTs that change nothing: the quota check, the list of available flavors, and the price. */
const READ_ONLY_POSTS: readonly RegExp[] = [
  /^\/cloud\/v2\/instances\/\d+\/\d+\/check_limits$/,
  /^\/cloud\/v1\/instances\/\d+\/\d+\/available_flavors$/,
  /^\/cloud\/v2\/pricing\/\d+\/\d+\/instances$/,
];

/** Whether a call may change something. A plan must not send such calls. */
export function isMutation({ method, path }: { method: string; path: string }): boolean {
  const isCheck = method === 'POST' && READ_ONLY_POSTS.some((pattern) => pattern.test(path));
  return method !== 'GET' && !isCheck;
}
