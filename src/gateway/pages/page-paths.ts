/** The path of the page of a run. The id is one segment. */
export function pathOfPage(workflowId: string): string {
  return `/runs/${encodeURIComponent(workflowId)}`;
}
