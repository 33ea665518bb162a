import type { Operation } from '../../../../src/contract/wire/names.js';
import type { Finding, RunRecord } from '../../world/records.js';
import { wasAsked, type Act, type Facts } from '../facts/facts.js';
import { isAliveIn, keyOf, nameOf, type RowKind, type RowRef } from '../facts/rows.js';
import { ledgerOf, namedBy, notesOfLeft, rowsOf, saysUnknown } from '../facts/status.js';
import { at, isRecord, textsAt } from '../facts/values.js';
import { inputAs, isOperation } from '../facts/operations.js';
import { PROMISES } from '../promises/index.js';
import type { Broken, Undoing } from '../promises/promise.js';
import { findingOf } from './findings.js';
import { areExcused, lastLookOf } from './others.js';

/** Kinds that a ledger can name. */
const NAMED_KINDS: ReadonlySet<RowKind> = new Set<RowKind>([
  'instances',
  'volumes',
  'snapshots',
  'floatingIps',
  'ddosProfiles',
  'sshKeys',
  'kvStores',
]);

const ENDED: readonly string[] = ['failed', 'cancelled', 'completed'];

/** A run that fails or is cancelled has undone what it has made, or names it; one that succeeds names what it has made. */
export function notUndone(facts: Facts): Finding[] {
  return facts.evidence.runs.flatMap((run) => {
    if (!ENDED.includes(run.state) || !isOperation(run.operation) || run.cloudAtEnd === undefined)
      return [];
    const left = unnamed(facts, run, run.cloudAtEnd);
    const restored = run.state === 'completed' ? [] : notRestored(facts, run, run.operation);
    return [
      ...left,
      ...madeLate(facts, run),
      ...restored,
      ...namedAndGone(facts, run, run.cloudAtEnd),
    ];
  });
}

/** Alive, made by this run, and named nowhere. */
function unnamed(
  facts: Facts,
  run: RunRecord,
  cloud: NonNullable<RunRecord['cloudAtEnd']>,
): Finding[] {
  if (run.status === undefined || (run.state !== 'completed' && saysUnknown(run))) return [];
  const named = new Set(namedBy(run).flatMap(rowsOf).map(keyOf));
  const left = madeBy(facts, run).filter(
    (ref) =>
      NAMED_KINDS.has(ref.rows) &&
      isAliveIn(cloud, ref) &&
      !named.has(keyOf(ref)) &&
      !isToldOf(run, ref) &&
      !isOfNamedTask(facts, run, ref) &&
      !isHandedOver(run, ref) &&
      !isTakenOver(facts, run, ref),
  );
  if (left.length === 0) return [];
  const what = left.map(({ rows, id }) => `${nameOf(rows)} ${id}`).join(', ');
  const isSuccess = run.state === 'completed';
  return [
    findingOf(
      isSuccess ? 'ledger' : 'not undone',
      run,
      isSuccess
        ? `it has made something that its status does not name: ${what}`
        : `it ended as ${run.state}, and what it made exists, and it does not name it: ${what}`,
    ),
  ];
}

/** What an earlier run has left, or this one before it was reset: it is not what was asked for. */
function isToldOf(run: RunRecord, { id }: RowRef): boolean {
  return notesOfLeft(run).some((note) => note.includes(id));
}

/** What a call of a person's own choice makes, its task names, and the look that shows it. */
function isOfNamedTask(facts: Facts, run: RunRecord, { rows, id }: RowRef): boolean {
  if (run.operation !== 'callApi') return false;
  if (run.state === 'completed' && inputAs('callApi', run.input)?.look !== undefined) return true;
  const told = JSON.stringify([run.status, run.failure]);
  const makes = facts.acts.filter(
    ({ workflowId, effects }) =>
      workflowId === run.workflowId &&
      effects.some((each) => each.does === 'makes' && each.rows === rows && each.id === id),
  );
  return makes.some(({ call }) =>
    textsAt(call.answer, 'tasks').some((task) => told.includes(task)),
  );
}

/** A call that was on its way when the run ended arrives, and nobody looks for what it makes. */
function madeLate(facts: Facts, run: RunRecord): Finding[] {
  const { workflowId, closedAt = Infinity, startedAt } = run;
  const isLast = facts.runsOf(workflowId).every((each) => each.startedAt <= startedAt);
  if (!isLast || run.state === 'completed' || saysUnknown(run)) return [];
  const named = new Set(namedBy(run).flatMap(rowsOf).map(keyOf));
  const left = facts.acts
    .filter((act) => act.workflowId === workflowId && act.at > closedAt)
    .flatMap(({ effects }) => effects.filter(({ does }) => does === 'makes'))
    .filter(
      (ref) =>
        NAMED_KINDS.has(ref.rows) && isAliveIn(facts.evidence.after, ref) && !named.has(keyOf(ref)),
    );
  if (left.length === 0) return [];
  const what = left.map(({ rows, id }) => `${nameOf(rows)} ${id}`).join(', ');
  return [
    findingOf(
      'not undone',
      run,
      `a call of it that arrived after its end has made something that nobody names: ${what}`,
    ),
  ];
}

/** What belongs to an account stands in the result of a success, and in no ledger. */
const HANDED_OVER: ReadonlySet<RowKind> = new Set<RowKind>(['sshKeys', 'kvStores']);

function isHandedOver({ state, result }: RunRecord, { rows, id }: RowRef): boolean {
  if (state !== 'completed' || !isRecord(result) || !HANDED_OVER.has(rows)) return false;
  return Object.values(result).some((value) => String(value) === id);
}

/** Rows whose making calls came while this run was open; of a request that ran several times only the own ones. */
function madeBy(facts: Facts, { workflowId, startedAt, closedAt = Infinity }: RunRecord): RowRef[] {
  return facts.acts
    .filter(
      (act) =>
        act.workflowId === workflowId &&
        (act.call.sentAt ?? act.at) >= startedAt &&
        act.at <= closedAt,
    )
    .flatMap(({ effects }) =>
      effects.filter(({ does }) => does === 'makes').map(({ rows, id }) => ({ rows, id })),
    );
}

/** Somebody else has changed it since, or deletes what it belongs to: it is theirs. */
function isTakenOver(facts: Facts, run: RunRecord, ref: RowRef): boolean {
  const root = facts.rootOf(run.workflowId);
  return facts
    .actsOn(ref)
    .some(({ who, at: when }) => who !== root && when <= (run.closedAt ?? Infinity));
}

function notRestored(facts: Facts, run: RunRecord, operation: Operation): Finding[] {
  if (at(run.input, 'onFailure') === 'keep' || saysUnknown(run) || run.status === undefined)
    return [];
  // What the run before a reset has done is an earlier run's: docs/decisions/0020.
  if (wasAsked(facts, 'reset', run.workflowId)) return [];
  const root = facts.rootOf(run.workflowId);
  const isOwn = ({ who }: Act): boolean => who === root;
  const window = { isOwn, from: run.startedAt, to: run.closedAt ?? Infinity };
  return restoredOf(facts, { run, operation, named: namedBy(run) })
    .filter(({ about }) => !areExcused(facts, about, { ...window, from: lastLookOf(facts, run) }))
    .map(({ says }) =>
      findingOf(
        'not undone',
        run,
        `it ended as ${run.state}, and ${says}, and it does not name it`,
      ),
    );
}

function restoredOf<O extends Operation>(
  facts: Facts,
  { run, operation, named }: { run: RunRecord; operation: O; named: Undoing<O>['named'] },
): readonly Broken[] {
  const input = inputAs(operation, run.input);
  const { cloudAtEnd: cloud, startedAt, closedAt = Infinity } = run;
  const { notRestored: judge } = PROMISES[operation];
  if (judge === undefined || input === undefined || cloud === undefined) return [];
  const root = facts.rootOf(run.workflowId);
  const own = facts.acts.filter(
    ({ who, at: when, call }) =>
      who === root && (call.sentAt ?? when) >= startedAt && when <= closedAt,
  );
  const atStart = run.cloudAtStart ?? facts.timeline.at(startedAt);
  return judge({ input, run, cloud, atStart, own, facts, named });
}

/** States of a step that say of a resource that it is there. */
const THERE: readonly (string | undefined)[] = ['verified', 'kept'];

/** What the status of a run calls existing exists, or somebody else has taken it away. */
function namedAndGone(
  facts: Facts,
  run: RunRecord,
  cloud: NonNullable<RunRecord['cloudAtEnd']>,
): Finding[] {
  const root = facts.rootOf(run.workflowId);
  const isOwn = ({ who }: Act): boolean => who === root;
  const window = { isOwn, from: -Infinity, to: run.closedAt ?? Infinity };
  const gone = ledgerOf(run)
    .filter(({ step }) => THERE.includes(step))
    .flatMap(rowsOf)
    .filter((ref) => !isAliveIn(cloud, ref) && !areExcused(facts, [ref], window));
  if (gone.length === 0 || run.state !== 'completed') return [];
  return [
    findingOf(
      'ledger',
      run,
      `its status names ${gone.map(({ rows }) => nameOf(rows)).join(', ')}, which no longer exists: ${gone.map(({ id }) => id).join(', ')}`,
    ),
  ];
}
