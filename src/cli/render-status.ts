import {
  Phase,
  StepState,
  type StatusDocument,
  type StepStatus,
  type Waiting,
} from '../contract/index.js';
import { align } from './align.js';
import { formatDuration } from '../client/format-duration.js';
import { plain, type Paint, type Style } from './paint.js';

/** What is known of a run at one moment. */
export interface RunView {
  workflowId: string;
  /** Missing until a worker has answered. */
  status?: StatusDocument | undefined;
  /** Why the picture may be old or nothing happens; empty when all is well. */
  remarks: readonly string[];
}

const SIGNS: Record<StepState, { sign: string; style: Style }> = {
  [StepState.planned]: { sign: '·', style: 'dim' },
  [StepState.sending]: { sign: '→', style: 'busy' },
  [StepState.accepted]: { sign: '→', style: 'busy' },
  [StepState.outcomeUnknown]: { sign: '?', style: 'bad' },
  [StepState.waiting]: { sign: '…', style: 'busy' },
  [StepState.verified]: { sign: '✓', style: 'good' },
  [StepState.failed]: { sign: '✗', style: 'bad' },
  [StepState.undone]: { sign: '↶', style: 'dim' },
  [StepState.kept]: { sign: '!', style: 'bad' },
};

const PHASE_STYLE: Record<Phase, Style> = {
  [Phase.running]: 'busy',
  [Phase.waiting]: 'busy',
  [Phase.paused]: 'busy',
  [Phase.blocked]: 'bad',
  [Phase.rollingBack]: 'bad',
  [Phase.succeeded]: 'good',
  [Phase.failed]: 'bad',
  [Phase.cancelled]: 'bad',
};

/** The whole picture, for `status` and for the live block of a terminal. */
export function renderStatus(view: RunView, now: number, paint: Paint = plain): string[] {
  const { status, remarks, workflowId } = view;
  if (status === undefined) {
    return [`${paint('bold', workflowId)}  not yet known`, ...renderRemarks(remarks, paint)];
  }
  const elapsed = elapsedOf(status, now);
  const header = [
    paint('bold', workflowId),
    paint(PHASE_STYLE[status.phase], status.phase),
    ...(elapsed === undefined ? [] : [formatDuration(elapsed)]),
  ];
  return [
    header.join('  '),
    ...renderSteps(status.steps, now, paint),
    ...renderWaiting(status.waiting, now),
    ...renderBlocked(status, now, paint),
    ...renderRemarks(remarks, paint),
  ];
}

function renderSteps(steps: readonly StepStatus[], now: number, paint: Paint): string[] {
  const lines = align(steps.map((step) => [step.name, step.state, formatStepDuration(step, now)]));
  return steps.flatMap((step, index) => {
    const { sign, style } = SIGNS[step.state];
    const facts = [...idsOf(step), ...(step.note === undefined ? [] : [step.note])];
    return [
      `  ${paint(style, sign)} ${lines[index] ?? step.name}`,
      ...facts.map((fact) => paint('dim', `      ${fact}`)),
    ];
  });
}

function formatStepDuration({ startedAt, endedAt }: StepStatus, now: number): string {
  if (startedAt === undefined) return '';
  return formatDuration(
    (endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt),
  );
}

function idsOf({ taskIds, resources }: StepStatus): string[] {
  return [
    ...taskIds.map((id) => `task ${id}`),
    ...resources.map(({ kind, id }) => `${kind} ${id}`),
  ];
}

/** `task 3f2a91c0… RUNNING 41 s, usually within 30 s; next look in 4 s` */
function renderWaiting(waiting: Waiting | undefined, now: number): string[] {
  if (waiting === undefined) return [];
  const { state, since, deadline } = waiting;
  const parts = [shorten(waiting.for), state, formatDuration(now - Date.parse(since))];
  const head = parts.filter(Boolean).join(' ');
  const next = formatNextLook(waiting, now);
  const end = deadline === undefined ? '' : `; gives up at ${deadline}`;
  return [`  waiting: ${head}${formatUsual(waiting)}${next}${end}`];
}

function formatNextLook({ nextCheckAt, watched }: Waiting, now: number): string {
  if (nextCheckAt === undefined) return watched === true ? '; watched' : '';
  const inMs = Date.parse(nextCheckAt) - now;
  return inMs > 0 ? `; next look in ${formatDuration(inMs)}` : '; looking now';
}

function formatUsual({ typicalSeconds }: Waiting): string {
  return typicalSeconds === undefined
    ? ''
    : `, usually within ${formatDuration(typicalSeconds * 1000)}`;
}

/** The whole id stands with its step; here it would break the line. */
function shorten(text: string): string {
  return text.replace(
    /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    '$1…',
  );
}

function renderBlocked({ blocked }: StatusDocument, now: number, paint: Paint): string[] {
  if (blocked === undefined) return [];
  const { type, message, advice, since } = blocked;
  const elapsed = formatDuration(now - Date.parse(since));
  return [`  ${paint('bad', `blocked for ${elapsed}: ${type}`)}`, `  ${message}`, `  ${advice}`];
}

function renderRemarks(remarks: readonly string[], paint: Paint): string[] {
  return remarks.map((remark) => `  ${paint('busy', remark)}`);
}

/** Since the first step began. */
export function elapsedOf(status: StatusDocument, now: number): number | undefined {
  const starts = status.steps.flatMap(({ startedAt }) => startedAt ?? []).map(Date.parse);
  if (starts.length === 0) return undefined;
  const ends = status.steps.flatMap(({ endedAt }) => endedAt ?? []).map(Date.parse);
  return (hasEnded(status) ? Math.max(...starts, ...ends) : now) - Math.min(...starts);
}

const END_PHASES: ReadonlySet<Phase> = new Set([Phase.succeeded, Phase.failed, Phase.cancelled]);

function hasEnded({ phase }: StatusDocument): boolean {
  return END_PHASES.has(phase);
}

/**
 * What is so, one line a fact and free of the passing time. What the next picture has and this one
 * has not is what changed: that is all a log file wants to read.
 */
export function describeFacts({ status, remarks }: RunView): string[] {
  if (status === undefined) return [...remarks];
  const { waiting, blocked, phase } = status;
  const steps = status.steps
    .filter((step) => step.state !== StepState.planned)
    .map((step) => [`${step.name}: ${step.state}`, ...idsOf(step), step.note].filter(Boolean));
  return [
    ...(phase === Phase.paused || phase === Phase.rollingBack ? [phase] : []),
    ...steps.map((parts) => parts.join(', ')),
    ...(waiting === undefined ? [] : [describeWaiting(waiting)]),
    ...(blocked === undefined
      ? []
      : [`blocked: ${blocked.type}: ${blocked.message} ${blocked.advice}`]),
    ...remarks,
  ];
}

function describeWaiting(waiting: Waiting): string {
  const head = [shorten(waiting.for), waiting.state].filter(Boolean).join(' ');
  return `waiting: ${head}${formatUsual(waiting)}`;
}
