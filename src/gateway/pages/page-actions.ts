import { isHolding } from '../../client/protection.js';
import { Operation, type StatusDocument } from '../../contract/index.js';
import { FailureType } from '../../engine/core/failures.js';
import { plannedIdOf } from '../../engine/core/names.js';
import { Phase } from '../../engine/core/status.js';
import { Scope, type Caller } from '../../tokens/token-file.js';
import type { RunView } from '../status-board.js';

/** What a person can ask of a run on its page. */
export interface PageAction {
  name: 'pause' | 'resume' | 'restore' | 'extend' | 'abort' | 'cancel' | 'retry' | 'retry-failed';
  /** The button. */
  label: string;
  /** Beside the button: what sets it apart from the others. */
  hint: string;
  /** What happens then. */
  effect: string;
  /** Undoes work: the button looks like it. */
  undoes: boolean;
  /** What a token needs for it. */
  scope: Scope;
}

const UNDOES = 'This cannot be taken back.';
const { operate, run } = Scope;

const ACTIONS: Record<PageAction['name'], Omit<PageAction, 'name'>> = {
  pause: {
    label: 'Pause',
    hint: 'sends nothing new, undoes nothing',
    effect: 'The run sends nothing new. Calls that were sent go on at the API. Nothing is undone.',
    undoes: false,
    scope: operate,
  },
  resume: {
    label: 'Resume',
    hint: 'goes on, or tries again at once',
    effect: 'The run goes on where it is, or tries again what it is blocked by.',
    undoes: false,
    scope: operate,
  },
  extend: {
    label: 'Hold longer',
    hint: 'moves the end of the protection',
    effect: 'The protection is held at least as long as you say, counted from now.',
    undoes: false,
    scope: operate,
  },
  restore: {
    label: 'Restore now',
    hint: 'ends the protection',
    effect: `The hold ends now, and the state before it is put back: the address may be unprotected then. ${UNDOES}`,
    undoes: true,
    scope: operate,
  },
  abort: {
    label: 'Abort',
    hint: 'undoes, and ends as failed with your reason; also when undoing is blocked; needs a worker',
    effect: `The run undoes what it has done, unless its input says to keep it, and fails as Aborted. If something cannot be removed, the run ends all the same and names what is left. ${UNDOES}`,
    undoes: true,
    scope: operate,
  },
  cancel: {
    label: 'Cancel',
    hint: 'undoes, and ends as cancelled; waits when undoing is blocked; needs no worker now',
    effect: `The run undoes what it has done, unless its input says to keep it, and ends as cancelled. If something cannot be removed, the run waits until it can. ${UNDOES}`,
    undoes: true,
    scope: operate,
  },
  retry: {
    label: 'Start again',
    hint: 'the same request with its own input; it finds what the first try has left',
    effect:
      'The same request starts again with its own input. It finds what the first try has left, and makes nothing twice. What it makes may cost money.',
    undoes: false,
    scope: run,
  },
  'retry-failed': {
    label: 'Retry failed',
    hint: 'only the videos that failed or were not tried, as a request of their own',
    effect:
      'A request of its own imports only the videos that failed or were not tried. Those that exist stay as they are.',
    undoes: false,
    scope: run,
  },
};

const ENDED: ReadonlySet<Phase> = new Set([Phase.succeeded, Phase.failed, Phase.cancelled]);
const HALTED: ReadonlySet<Phase> = new Set([Phase.paused, Phase.blocked]);
const HELD = ['extend', 'restore'] as const;

interface Known {
  view: Pick<RunView, 'workflowId' | 'operation' | 'state' | 'isEnded'>;
  /** Missing when no worker answers. */
  status: StatusDocument | undefined;
}

/** What makes sense now, for a reader that may do it. */
export function actionsFor(caller: Caller, { view, status }: Known): PageAction[] {
  const names = view.isEnded ? afterEnd(view, status) : namesFor(status);
  return names
    .map((name) => ({ name, ...ACTIONS[name] }))
    .filter(({ scope }) => caller.scopes.includes(scope));
}

/** A run that has succeeded has done what was asked: once more is another request. */
function afterEnd({ workflowId, operation, state }: Known['view'], status: Known['status']) {
  if (state === 'COMPLETED' || plannedIdOf(workflowId) !== undefined) return [];
  const failed = status?.failure?.type;
  // Its own input would be refused again.
  if (failed === FailureType.invalidInput) return [];
  const isPartial = operation === Operation.importVideos && failed === FailureType.itemsFailed;
  return [isPartial ? 'retry-failed' : 'retry'] as const;
}

/** Without a worker only the Temporal server can take a wish: to cancel. */
function namesFor(status: Known['status']): PageAction['name'][] {
  if (status === undefined) return ['cancel'];
  const { phase } = status;
  if (ENDED.has(phase) || phase === Phase.rollingBack) return [];
  if (HALTED.has(phase)) return ['resume', 'abort', 'cancel'];
  return [...(isHolding(status) ? HELD : []), 'pause', 'abort', 'cancel'];
}

/** The action of a path. */
export function actionOf(name: string): PageAction | undefined {
  return Object.entries(ACTIONS).flatMap(([known, action]) =>
    known === name && isName(known) ? [{ name: known, ...action }] : [],
  )[0];
}

function isName(name: string): name is PageAction['name'] {
  return name in ACTIONS;
}

/** The path of the page of a run. The id is one segment. */
export function pathOfPage(workflowId: string): string {
  return `/runs/${encodeURIComponent(workflowId)}`;
}
