/**
 * Who asked something of a run. Always a claim: whoever may write to the namespace may claim any name
 * (docs/authorisation.md).
 */

/** Shown when nobody said who it is. */
export const UNKNOWN_IDENTITY = 'unknown';

const MAX_CHARACTERS = 100;

/**
 * Letters, digits and what addresses, host names, ARNs and distinguished names need. Everything else
 * could forge a line, a link or a table where the name is shown, so it becomes `_`.
 */
const OTHER = /[^\p{L}\p{M}\p{N} ._@:/+=,'#-]/gu;

/** The name as it may be shown anywhere, at most 100 characters. */
export function toIdentity(claim: unknown): string {
  if (typeof claim !== 'string') return UNKNOWN_IDENTITY;
  // Cut first: a claim may be megabytes long.
  const short = claim.slice(0, MAX_CHARACTERS * 2).normalize('NFC');
  const plain = short.replaceAll(OTHER, '_').trim();
  const name = Array.from(plain).slice(0, MAX_CHARACTERS).join('').trim();
  return name === '' ? UNKNOWN_IDENTITY : name;
}

const BY = 'by ';

/** A cancel request carries no argument, so its reason names who asks. */
export function cancelReason(by: string): string {
  return `${BY}${toIdentity(by)}`;
}

/** Who asked, by a reason of `cancelReason`; another client may have given another reason, or none. */
export function identityOfCancel(reason: unknown): string {
  const isOurs = typeof reason === 'string' && reason.startsWith(BY);
  return isOurs ? toIdentity(reason.slice(BY.length)) : UNKNOWN_IDENTITY;
}

/**
 * The run that made a resource, as the tag `MAKER_TAG` names it: `<namespace id>/<Run Id>`. The id of a
 * Temporal namespace is unique: namespaces of the same name on two clusters have two ids, and a namespace
 * keeps its id when another cluster takes it over.
 */
export function toMaker(namespaceId: string, runId: string): string {
  return `${namespaceId}/${runId}`;
}

/** How another run of the same namespace signs, or the same run after a reset. */
export function makerWithRun(maker: string, runId: string): string {
  return toMaker(namespaceIdOf(maker), runId);
}

export function runIdOf(maker: string): string {
  return maker.slice(maker.lastIndexOf('/') + 1);
}

export function namespaceIdOf(maker: string): string {
  return maker.slice(0, maker.lastIndexOf('/'));
}

/** What can be asked of a run. */
export const AskedFor = {
  start: 'start',
  /** A start of a run that has ended without success before. */
  retry: 'retry',
  pause: 'pause',
  resume: 'resume',
  abort: 'abort',
  cancel: 'cancel',
  extend: 'extend',
  restore: 'restore',
} as const;
export type AskedFor = (typeof AskedFor)[keyof typeof AskedFor];

/** Name of the memo that says who started a run. */
export const STARTED_BY_MEMO = 'startedBy';

export interface StartedBy {
  by: string;
  as: 'start' | 'retry';
  /** The run that has started it on behalf of its caller: `<Workflow Id>/<first Run Id>`. */
  for?: string;
}

/**
 * Name of the memo that says when the run of this Workflow Id before it was terminated or timed out, in milliseconds since the
 * epoch. Only who starts a run knows that for sure: the lists of the server lag behind.
 */
export const CUT_SHORT_MEMO = 'cutShortAt';

/**
 * Name of the memo with which a run ends that leaves something: it has kept it, or does not know that it is gone. The lists of the
 * API may not show it yet, so the next run of the request looks as after a run that was cut short.
 */
export const LEFT_MEMO = 'left';

/** Name of the memo with the Run Id of the run of this Workflow Id before it, which has ended: no list needs to show it yet. */
export const RAN_BEFORE_MEMO = 'ranBefore';

/**
 * Name of the memo with which a run starts a part of itself: the Run Id that its own first event names. The server tells the part
 * the Run Id that it has now. Where they differ, it was reset, and another run of the part may have been cut short just before.
 */
export const PART_OF_MEMO = 'partOf';

/** Who started a run; `undefined` when its memo does not say. */
export function startedByOf(
  memo: Readonly<Record<string, unknown>> | undefined,
): StartedBy | undefined {
  const told = memo?.[STARTED_BY_MEMO];
  if (!(told instanceof Object) || !('by' in told)) return undefined;
  const isRetry = 'as' in told && told.as === AskedFor.retry;
  const behalf = 'for' in told && typeof told.for === 'string' ? { for: told.for } : {};
  return { by: toIdentity(told.by), as: isRetry ? AskedFor.retry : AskedFor.start, ...behalf };
}

/** Workflow Id of the run that has started it on behalf of its caller, whichever run of that id it was. */
export function startedForOf(
  memo: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const mark = startedByOf(memo)?.for;
  return mark?.slice(0, mark.lastIndexOf('/'));
}
