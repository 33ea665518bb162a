/** The page of a run in the Temporal UI. @param ui such as `http://127.0.0.1:8233` */
export function temporalUrlOf(ui: string, namespace = 'default'): (workflowId: string) => string {
  const base = `${ui.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
  return (workflowId) => `${base}/${encodeURIComponent(workflowId)}`;
}
