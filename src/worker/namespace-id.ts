import type { CutShortDeps } from './cut-short.js';

/** gRPC statuses: the worker may not ask, and the server has no such call. */
const NEVER_ANSWERED: readonly unknown[] = [7, 12];

/**
 * Asks for the id of the namespace once. A failed call is repeated by the next caller. Without the right
 * to ask, the id is empty: then two namespaces of one name cannot be told apart.
 */
export function createNamespaceId({ connection, namespace }: CutShortDeps): () => Promise<string> {
  let known: string | undefined;
  const ask = async (): Promise<string> => {
    try {
      const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
      return namespaceInfo?.id ?? '';
    } catch (error) {
      if (error instanceof Error && 'code' in error && NEVER_ANSWERED.includes(error.code))
        return '';
      throw error;
    }
  };
  return async () => {
    known ??= await ask();
    return known;
  };
}
