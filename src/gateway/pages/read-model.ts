import { statusDocumentSchema, type StatusDocument } from '../../contract/index.js';
import type { Explanation } from '../../client/index.js';
import type { GatewayParts } from '../gateway-context.js';
import { within } from '../requests/within.js';
import type { RunView } from '../runs/status-board.js';
import type { Caller } from '../../tokens/token-file.js';
import { actionsFor } from './page-actions.js';
import type { RunPageModel } from './run-page.js';

const EXPLAIN_WITHIN_MS = 4_000;

interface Reader {
  caller: Caller;
  temporalUrl: ((workflowId: string) => string) | undefined;
}

/** What the page of a run shows. It comes although no worker runs. */
export async function readModel(
  { gcore }: Pick<GatewayParts, 'gcore'>,
  view: RunView,
  { caller, temporalUrl }: Reader,
): Promise<RunPageModel> {
  const status = statusOf(view);
  const explanation = status === undefined ? await explain(gcore, view.workflowId) : undefined;
  return {
    ...{ view, status, explanation },
    actions: view.isEnded ? [] : actionsFor(caller, status),
    temporalUrl: temporalUrl?.(view.workflowId),
    now: Date.now(),
  };
}

/** The status document of a view, if a worker has given one. */
export function statusOf({ document }: RunView): StatusDocument | undefined {
  if (document === undefined) return undefined;
  return statusDocumentSchema.parse(JSON.parse(document.text));
}

async function explain(
  gcore: GatewayParts['gcore'],
  workflowId: string,
): Promise<Explanation | undefined> {
  try {
    return await within(EXPLAIN_WITHIN_MS, gcore.explain(workflowId));
  } catch {
    // The page says without it that no worker answers.
    return undefined;
  }
}
