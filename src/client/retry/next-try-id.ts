const TRY = /^(.*)\.retry-([1-9]\d*)$/s;

/** Workflow Id of the request that takes the failed items of this one: `may` → `may.retry-1` → `may.retry-2`. */
export function nextTryId(workflowId: string): string {
  const [, first = workflowId, count = '0'] = TRY.exec(workflowId) ?? [];
  return `${first}.retry-${Number(count) + 1}`;
}
