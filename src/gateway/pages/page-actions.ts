import type { StatusDocument } from '../../contract/index.js';
import { Phase } from '../../engine/core/status.js';
import { Scope, type Caller } from '../../tokens/token-file.js';

/** What a person can ask of a run on its page. */
export interface PageAction {
  name: 'pause' | 'resume' | 'restore' | 'extend' | 'abort' | 'cancel';
  /** The button. */
  label: string;
  /** What happens then. */
  effect: string;
  /** Undoes work: the button looks like it. */
  undoes: boolean;
}

const UNDOES = 'This cannot be taken back.';

const ACTIONS: Record<PageAction['name'], Omit<PageAction, 'name'>> = {
  pause: {
    label: 'Pause',
    effect: 'The run sends nothing new. Calls that were sent go on at the API. Nothing is undone.',
    undoes: false,
  },
  resume: {
    label: 'Resume',
    effect: 'The run goes on where it is, or tries again what it is blocked by.',
    undoes: false,
  },
  extend: {
    label: 'Hold longer',
    effect: 'The protection is held at least as long as you say, counted from now.',
    undoes: false,
  },
  restore: {
    label: 'Restore now',
    effect: `The hold ends now, and the state before it is put back: the address may be unprotected then. ${UNDOES}`,
    undoes: true,
  },
  abort: {
    label: 'Abort',
    effect: `The run undoes what it has done, unless its input says to keep it, and fails as Aborted. ${UNDOES}`,
    undoes: true,
  },
  cancel: {
    label: 'Cancel',
    effect: `The run undoes what it has done, unless its input says to keep it, and ends as cancelled. ${UNDOES}`,
    undoes: true,
  },
};

const ENDED: ReadonlySet<Phase> = new Set([Phase.succeeded, Phase.failed, Phase.cancelled]);
const HALTED: ReadonlySet<Phase> = new Set([Phase.paused, Phase.blocked]);
/** What `keepHold` shows as waiting. */
const HOLD = 'the end of the hold';
const HELD = ['extend', 'restore'] as const;

/** What makes sense now, for a reader that may do it. @param status missing when no worker answers */
export function actionsFor(caller: Caller, status: StatusDocument | undefined): PageAction[] {
  if (status === undefined || !caller.scopes.includes(Scope.operate)) return [];
  return namesFor(status).map((name) => ({ name, ...ACTIONS[name] }));
}

function namesFor({ phase, waiting }: StatusDocument): PageAction['name'][] {
  if (ENDED.has(phase)) return [];
  if (phase === Phase.rollingBack) return [];
  if (HALTED.has(phase)) return ['resume', 'abort', 'cancel'];
  return ['pause', ...(waiting?.for === HOLD ? HELD : []), 'abort', 'cancel'];
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
