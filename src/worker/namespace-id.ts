import type { CutShortDeps } from './cut-short.js';

/** Asks for the id of the namespace once. A failed call is repeated by the next caller. */
export function createNamespaceId({ connection, namespace }: CutShortDeps): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    if (known !== undefined) return known;
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
    known = namespaceInfo?.id ?? '';
    return known;
  };
}
