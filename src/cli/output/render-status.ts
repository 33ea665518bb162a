import {
  Phase,
  StepState,
  type Blocked,
  type KnownFailure,
  type StatusDocument,
  type StepStatus,
  type Waiting,
} from '../../contract/index.js';
import { triesAs } from '../../engine/core/failures.js';
import { align } from './align.js';
import { formatDuration } from '../../client/format-duration.js';
import { paceOf } from '../../client/pace.js';
import { protectionOf, shownPhase } from '../../client/protection.js';
import { STEP_SIGNS } from '../../client/step-signs.js';
import { describeAsked, renderAsked } from './render-asked.js';
import { plain, oneLine, type Paint, type Style } from './terminal-text.js';

/** The known state of a run at one moment. */
export interface RunView {
  workflowId: string;
  /** Missing until a worker has answered. */
  status?: StatusDocument | undefined;
  /** Why the view may be outdated, or why nothing happens. */
  remarks: readonly string[];
  /** Whether it says why a run has failed. A watched run ends with that anyway. */
  saysEnd?: boolean;
  /** Commands that a person may copy now. */
  commands?: readonly string[];
}

const PHASE_STYLE: Record<Phase | 'protected', Style> = {
  protected: 'good',
  [Phase.running]: 'busy',
  [Phase.waiting]: 'busy',
  [Phase.paused]: 'busy',
  [Phase.blocked]: 'bad',
  [Phase.rollingBack]: 'bad',
  [Phase.succeeded]: 'good',
  [Phase.failed]: 'bad',
  [Phase.cancelled]: 'bad',
};

/** The complete view, for `status` and for the live block of a terminal. */
export function renderStatus(view: RunView, now: number, paint: Paint = plain): string[] {
  return renderLines(view, now, paint).map(oneLine);
}

function renderLines(view: RunView, now: number, paint: Paint): string[] {
  const { status, remarks, workflowId, commands = [] } = view;
  if (status === undefined) {
    return [`${paint('bold', workflowId)}  not yet known`, ...renderRemarks(remarks, paint)];
  }
  const elapsed = elapsedOf(status, now);
  const phase = shownPhase(status);
  const header = [
    paint('bold', workflowId),
    paint(PHASE_STYLE[phase], phase),
    ...(elapsed === undefined ? [] : [formatDuration(elapsed)]),
  ];
  return [
    header.join('  '),
    // First what a person looks for: an import has more steps than a screen has rows.
    ...renderHold(status, now, paint),
    ...renderFailure(view, status, paint),
    ...commands.map((command) => `  ${command}`),
    ...renderSteps(status.steps, now, paint),
    ...renderItems(status, now),
    ...(renderProtection(status, now) ?? renderWaiting(status.waiting, now)),
    ...renderAsked(status, now, paint),
    ...renderRemarks(remarks, paint),
  ];
}

function renderSteps(steps: readonly StepStatus[], now: number, paint: Paint): string[] {
  const lines = align(steps.map((step) => [step.name, step.state, formatStepDuration(step, now)]));
  return steps.flatMap((step, index) => {
    const { sign, tone } = STEP_SIGNS[step.state];
    const style = tone === 'soft' ? 'dim' : tone;
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

/** `protected until 2026-05-04T05:02:00.000Z, for 1 h 59 min`; `undefined` for a run that protects nothing now. */
function renderProtection(status: StatusDocument, now: number): string[] | undefined {
  const protection = protectionOf(status);
  if (protection === undefined) return undefined;
  const { until } = protection;
  return [`  protected until ${until}, for ${formatDuration(Date.parse(until) - now)}`];
}

/** `34 a minute, about 5 min left`, and the failures by their class. */
function renderItems({ items, phase }: StatusDocument, now: number): string[] {
  if (items === undefined) return [];
  const pace = paceOf({ items, phase }, now);
  const classes = Object.entries(items.byClass).sort(([, one], [, other]) => other - one);
  return [
    ...(pace === undefined
      ? []
      : [`  ${formatRate(pace.perMinute)} a minute, about ${formatDuration(pace.leftMs)} left`]),
    ...(classes.length === 0
      ? []
      : [`  failed: ${classes.map(([name, count]) => `${count} ${name}`).join(', ')}`]),
  ];
}

/** `34`, or `0.4` */
function formatRate(perMinute: number): string {
  return perMinute < 1 ? perMinute.toFixed(1) : Math.round(perMinute).toLocaleString('en');
}

/** `task 3f2a91c0… RUNNING 41 s, usually within 30 s; next check in 4 s` */
function renderWaiting(waiting: Waiting | undefined, now: number): string[] {
  if (waiting === undefined) return [];
  const { state, since, deadline } = waiting;
  const parts = [shorten(waiting.for), state, formatDuration(now - Date.parse(since))];
  const head = parts.filter(Boolean).join(' ');
  const times = [formatUsual(waiting), formatNextLook(waiting, now), formatLatest(waiting, now)];
  const end = deadline === undefined ? '' : `; gives up at ${deadline}`;
  return [`  waiting: ${head}${times.join('')}${end}`];
}

function formatLatest({ endsBy }: Waiting, now: number): string {
  const inMs = endsBy === undefined ? 0 : Date.parse(endsBy) - now;
  return inMs > 0 ? `; ends in ${formatDuration(inMs)} at the latest` : '';
}

function formatNextLook({ nextCheckAt, watched }: Waiting, now: number): string {
  if (nextCheckAt === undefined) return watched === true ? '; watched' : '';
  const inMs = Date.parse(nextCheckAt) - now;
  return inMs > 0 ? `; next check in ${formatDuration(inMs)}` : '; checking now';
}

function formatUsual({ typicalSeconds }: Waiting): string {
  return typicalSeconds === undefined
    ? ''
    : `, usually within ${formatDuration(typicalSeconds * 1000)}`;
}

/** The step shows the full id; here it would make the line too long. */
function shorten(text: string): string {
  return text.replace(/\b([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '$1…');
}

const ON_PAUSE = 'nothing new is sent; calls that were sent continue at the API';

/** Why a run fails, while it still undoes its work, and afterwards where no result says it. */
function renderFailure(
  { saysEnd = false }: RunView,
  { failure, phase }: StatusDocument,
  paint: Paint,
): string[] {
  if (failure === undefined || (END_PHASES.has(phase) && !saysEnd)) return [];
  const { type, message, advice } = failure;
  return [`  ${paint('bad', `failed: ${type}`)}`, `  ${message}`, `  ${advice}`];
}

/** Why a run is paused or blocked. */
function renderHold({ blocked, phase }: StatusDocument, now: number, paint: Paint): string[] {
  const pause = phase === Phase.paused ? [`  ${paint('busy', 'paused')}: ${ON_PAUSE}`] : [];
  if (blocked === undefined) return pause;
  const { type, message, advice, since, nextCheckAt, deadline } = blocked;
  const elapsed = formatDuration(now - Date.parse(since));
  const untilNext = nextCheckAt === undefined ? undefined : Date.parse(nextCheckAt) - now;
  return [
    ...pause,
    `  ${paint('bad', `blocked for ${elapsed}: ${type}`)}`,
    `  ${message}`,
    `  ${advice}`,
    ...(untilNext === undefined
      ? []
      : [`  ${triesAs(type)} again ${untilNext > 0 ? `in ${formatDuration(untilNext)}` : 'now'}`]),
    ...(deadline === undefined ? [] : [`  gives up at ${deadline}`]),
  ];
}

/** Why nothing happens, when no worker serves the account of the run. */
export function unservedRemarks({ unserved }: StatusDocument): string[] {
  if (unserved === undefined) return [];
  const { account, since, advice } = unserved;
  return [`No worker has served the account "${account}" since ${since}: the run waits. ${advice}`];
}

function renderRemarks(remarks: readonly string[], paint: Paint): string[] {
  return remarks.map((remark) => `  ${paint('busy', remark)}`);
}

/** Time since the first step began. */
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

/** One fact of the current view. Two facts with the same key are the same news. */
export interface Fact {
  key: string;
  text: string;
}

/**
 * The facts of a view, one line each, without elapsed times. A log prints only the facts that the
 * view before did not have.
 */
export function describeFacts({ status, commands = [] }: RunView): Fact[] {
  if (status === undefined) return [];
  const { waiting, blocked, failure, phase } = status;
  const steps = status.steps
    .filter((step) => step.state !== StepState.planned)
    .map((step) => [`${step.name}: ${step.state}`, ...idsOf(step), step.note].filter(Boolean));
  return [
    ...(phase === Phase.rollingBack ? [toFact(phase)] : []),
    ...steps.map((parts) => toFact(parts.join(', '))),
    ...(failure === undefined || END_PHASES.has(phase) ? [] : [toFact(describeFailure(failure))]),
    ...(waiting === undefined ? [] : [toFact(describeWaiting(waiting))]),
    ...(blocked === undefined ? [] : describeBlocked(blocked, commands)),
    ...(phase === Phase.paused ? [toFact([`paused: ${ON_PAUSE}`, ...commands].join('; '))] : []),
    ...describeAsked(status).map(toFact),
  ];
}

function toFact(text: string): Fact {
  return { key: text, text: oneLine(text) };
}

function describeFailure({ type, message, advice }: KnownFailure): string {
  return `failed: ${type}: ${message} ${advice}`;
}

/** The key has no time of the next try, because a new try with the same reason is no news. */
function describeBlocked(blocked: Blocked, commands: readonly string[]): Fact[] {
  const { type, message, advice, since, nextCheckAt, deadline } = blocked;
  const head = `blocked since ${since}: ${type}: ${message}`;
  const parts = [
    `${head} ${advice}`,
    ...(nextCheckAt === undefined ? [] : [`${triesAs(type)} again at ${nextCheckAt}`]),
    ...(deadline === undefined ? [] : [`gives up at ${deadline}`]),
    ...commands,
  ];
  return [{ key: head, text: oneLine(parts.join('; ')) }];
}

function describeWaiting(waiting: Waiting): string {
  const head = [shorten(waiting.for), waiting.state].filter(Boolean).join(' ');
  const latest = waiting.endsBy === undefined ? '' : `, ends by ${waiting.endsBy}`;
  return `waiting: ${head}${formatUsual(waiting)}${latest}`;
}
