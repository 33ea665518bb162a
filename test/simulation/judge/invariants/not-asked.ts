import type { AskRecord, Finding, RunRecord } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { failureTypeOf } from '../facts/status.js';
import { at, listAt, textAt } from '../facts/values.js';
import { findingOf } from './findings.js';

type What = AskRecord['what'];

/** A run is cancelled, aborted, resumed or terminated only if somebody asked that run, or the one that has started it. */
export function notAsked(facts: Facts): Finding[] {
  return facts.evidence.runs.flatMap((run) => {
    const wanted = endOf(run);
    const unasked = wanted !== undefined && !isAsked(facts, run, wanted);
    const ended = unasked
      ? [
          findingOf(
            'not asked',
            run,
            `it ended as ${run.state}, and nobody asked that run to ${wanted[0]}`,
          ),
        ]
      : [];
    return [
      ...ended,
      ...takenUnasked(facts, run),
      ...(run.state === 'timedOut' ? [findingOf('not asked', run, 'Temporal timed it out')] : []),
    ];
  });
}

function endOf(run: RunRecord): readonly [What, ...What[]] | undefined {
  if (run.state === 'cancelled') return ['cancel'];
  if (run.state === 'terminated') return ['terminate', 'reset', 'delete'];
  if (run.state === 'failed' && failureTypeOf(run.failure) === 'Aborted') return ['abort'];
  return undefined;
}

/** What ends a run asks the parts and, where it is told to, the items that it has started to end too. */
const ENDS_PARTS: ReadonlySet<What> = new Set(['cancel', 'abort', 'terminate']);

function isAsked(facts: Facts, run: RunRecord, wanted: readonly What[]): boolean {
  if (hasAsk(facts, run, wanted)) return true;
  if (wanted.includes('abort') && isPartEnded(facts, run)) return true;
  const starter = facts.starterOf(run);
  if (starter === undefined) return false;
  const isPart = facts.rootOf(run.workflowId) !== run.workflowId;
  const parents = facts.runsOf(starter).filter((parent) => areAtOnce(parent, run));
  if (parents.length === 0) return isPart;
  return parents.some((parent) =>
    isPart ? endsPart(facts, parent, wanted) : endsItem(facts, parent, wanted),
  );
}

/** A run whose part somebody ends has to undo its work as if it were aborted itself. */
function isPartEnded(facts: Facts, { workflowId, closedAt = Infinity }: RunRecord): boolean {
  return facts.evidence.asks.some(
    (ask) =>
      (ENDS_PARTS.has(ask.what) || ask.what === 'delete') &&
      ask.workflowId.startsWith(`${workflowId}/`) &&
      ask.at <= closedAt,
  );
}

/** What an earlier run of a request has started may still undo what it made when the next one begins. */
function areAtOnce(one: RunRecord, other: RunRecord): boolean {
  const isBefore = ({ closedAt = Infinity }: RunRecord, { startedAt }: RunRecord): boolean =>
    closedAt < startedAt;
  return !isBefore(one, other) && !isBefore(other, one);
}

/** A run that fails, is late or is reset takes its parts along. */
function endsPart(facts: Facts, parent: RunRecord, wanted: readonly What[]): boolean {
  const hasGivenUp = parent.state !== 'completed' || hasAsk(facts, parent, ['reset']);
  return hasGivenUp || isAsked(facts, parent, wanted);
}

function endsItem(facts: Facts, parent: RunRecord, wanted: readonly What[]): boolean {
  return endsItems(facts, parent) || (wanted.includes('resume') && isAsked(facts, parent, wanted));
}

/** `onAbort: cancel`: a batch that is aborted, cancelled or late. */
function endsItems(facts: Facts, parent: RunRecord): boolean {
  if (at(parent.input, 'onAbort') !== 'cancel') return false;
  const isLate = at(parent.input, 'deadline') !== undefined;
  return isLate || hasAsk(facts, parent, [...ENDS_PARTS]);
}

/** A group is asked as a whole: the run may have the label itself, or from its batch. */
function hasAsk(facts: Facts, run: RunRecord, wanted: readonly What[]): boolean {
  return facts.evidence.asks.some(
    ({ what, workflowId, isTaken, at: when }) =>
      wanted.includes(what) &&
      when <= (run.closedAt ?? Infinity) &&
      ((workflowId === run.workflowId && isTaken) ||
        workflowId === `--group ${groupOf(facts, run)}`),
  );
}

function groupOf(facts: Facts, run: RunRecord): string {
  const own = textAt(run.input, 'labels', 'group');
  if (own !== undefined) return own;
  const starter = facts.starterOf(run);
  const parent =
    starter === undefined || starter === run.workflowId ? undefined : facts.runsOf(starter)[0];
  return parent === undefined ? '' : groupOf(facts, parent);
}

const CHECKED: readonly string[] = [
  'pause',
  'resume',
  'abort',
  'cancel',
  'extend',
  'restore',
] satisfies What[];

function isChecked(text: string): text is What {
  return CHECKED.includes(text);
}

/** The status says what the run was asked for and has taken. */
function takenUnasked(facts: Facts, run: RunRecord): Finding[] {
  return listAt(run.status, 'asked').flatMap((entry) => {
    const what = textAt(entry, 'for');
    if (what === undefined || !isChecked(what) || what === 'extend') return [];
    if (hasAsk(facts, run, [what]) || isAskedByParent(facts, run, what)) return [];
    return [findingOf('not asked', run, `it took "${what}", and nobody asked that run`)];
  });
}

/** What a parent or a batch passes on to a run that it has started. */
function isAskedByParent(facts: Facts, run: RunRecord, what: What): boolean {
  const starter = facts.starterOf(run);
  const parent = starter === undefined ? undefined : facts.runsOf(starter).at(-1);
  if (parent === undefined) return false;
  const isPart = facts.rootOf(run.workflowId) !== run.workflowId;
  if (isPart) return true;
  if (what === 'cancel') return endsItems(facts, parent);
  return hasAsk(facts, parent, [what]) || isAskedByParent(facts, parent, what);
}
