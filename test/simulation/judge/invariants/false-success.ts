import { batchLines } from '../../../../src/contract/batch-lines.js';
import type { Operation } from '../../../../src/contract/wire/names.js';
import type { Finding, RequestRecord, RunRecord } from '../../world/records.js';
import type { Act, Facts } from '../facts/facts.js';
import { at, textAt } from '../facts/values.js';
import { inputAs, isOperation, resultAs } from '../facts/operations.js';
import { PROMISES } from '../promises/index.js';
import { about, type Broken, type Succeeded } from '../promises/promise.js';
import { findingOf } from './findings.js';
import { areExcused, lastLookOf, type Window } from './others.js';

/** A success is true in the cloud at its end, and its result names what is there. */
export function falseSuccess(facts: Facts): Finding[] {
  const ofRuns = facts.evidence.runs.flatMap((run) => {
    if (run.state !== 'completed' || !isOperation(run.operation) || isPlan(run)) return [];
    return [
      ...judgeRun(facts, run, run.operation),
      ...(run.operation === 'runBatch' ? judgeItems(facts, run) : []),
    ];
  });
  return [...ofRuns, ...facts.evidence.requests.flatMap(falselyDone)];
}

/** Whoever asks once more for a hold wants it now: that there was one is no answer, alone or in a list. */
function falselyDone({ workflowId, operation, input, toldDoneAt = [] }: RequestRecord): Finding[] {
  const isHold = [operation, textAt(input, 'operation')].includes('protectIp');
  if (!isHold || toldDoneAt.length === 0) return [];
  const says = 'a caller who repeated it heard that it is done, and nothing was started';
  return [findingOf('false success', { workflowId, operation }, says)];
}

function isPlan({ input, result }: RunRecord): boolean {
  return at(input, 'planOnly') === true || at(result, 'plan') !== undefined;
}

function judgeRun(facts: Facts, run: RunRecord, operation: Operation): Finding[] {
  const cloud = run.cloudAtEnd ?? facts.timeline.at(run.closedAt ?? Infinity);
  const own = ownWindow(facts, run);
  const broken = brokenOf(facts, { run, operation, cloud });
  if (broken === undefined) {
    return [findingOf('false success', run, 'its result has not the form that is documented')];
  }
  return broken
    .filter(
      ({ about, sinceStart }) =>
        !areExcused(facts, about, sinceStart === true ? sinceStartOf(run, own) : own),
    )
    .map(({ says }) => findingOf('false success', run, says));
}

function ownWindow(facts: Facts, run: RunRecord): Window {
  const root = facts.rootOf(run.workflowId);
  const isOwn = ({ who }: Act): boolean => who === root;
  return { isOwn, from: lastLookOf(facts, run), to: run.closedAt ?? Infinity };
}

/** What an earlier run of its id had sent before is no doing of this one: it may have been asked for something else. */
function sinceStartOf(run: RunRecord, window: Window): Window {
  const isOwn = (act: Act): boolean => window.isOwn(act) && act.at >= run.startedAt;
  return { ...window, isOwn, from: run.startedAt };
}

/** What of the promise of a run does not hold in a cloud; undefined for a result of another form. */
function brokenOf<O extends Operation>(
  facts: Facts,
  { run, operation, cloud }: { run: RunRecord; operation: O; cloud: Succeeded<O>['cloud'] },
): readonly Broken[] | undefined {
  const input = inputAs(operation, run.input);
  if (input === undefined) return [];
  const result = resultAs(operation, run.result);
  if (result === undefined) return undefined;
  const root = facts.rootOf(run.workflowId);
  const own = facts.acts.filter(({ who }) => who === root);
  const atStart = run.cloudAtStart ?? facts.timeline.at(run.startedAt);
  return PROMISES[operation].broken({ input, result, run, cloud, atStart, own, facts });
}

/** Reads, what is made once, and what lasts no longer than its run. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  'listSshKeys',
  'listVideos',
  'importVideos',
  'callApi',
  'revertVolume',
  'runBatch',
]);

/**
 * What a list calls done is so when the list ends. The other lines of the list are no excuse: of two lines that want
 * different things of one machine, one is not done.
 */
function judgeItems(facts: Facts, batch: RunRecord): Finding[] {
  const result = resultAs('runBatch', batch.result);
  const { cloudAtEnd: cloud, closedAt = Infinity, workflowId } = batch;
  if (result === undefined || cloud === undefined || NOT_KEPT.has(result.report.operation))
    return [];
  const lines = [...batchLines(result.report)];
  const ids = new Set(lines.flatMap((line) => line.workflowId ?? []));
  const isOwn = ({ who }: Act): boolean => who === workflowId || ids.has(who);
  return lines.flatMap(({ line, workflowId: id, outcome }) => {
    if (outcome !== 'succeeded' || id === undefined) return [];
    const runs = facts.runsOf(id);
    // It holds beyond the end of the list.
    if (runs.some((run) => run.startedAt >= batch.startedAt && isOpenAt(run, closedAt))) return [];
    const run = runs.findLast(
      ({ state, closedAt: end }) => state === 'completed' && (end ?? Infinity) <= closedAt,
    );
    if (run === undefined || !isOperation(run.operation) || isRestored(run))
      return endedHold(batch, { line, run });
    // Others may have changed it since the run of the line has ended.
    const window = { isOwn, from: lastLookOf(facts, run), to: closedAt };
    return (brokenOf(facts, { run, operation: run.operation, cloud }) ?? [])
      .filter(({ about: refs, sinceStart }) => {
        const since = sinceStart === true ? sinceStartOf(run, window) : window;
        return refs.length > 0 && !areExcused(facts, withLost(run, refs), since);
      })
      .map(({ says }) =>
        findingOf(
          'false success',
          batch,
          `it calls a line done, and at its end ${says} (line ${line}, ${id})`,
        ),
      );
  });
}

/** An address that somebody has deleted since the run of the line has ended is in the cloud of its end alone. */
function withLost({ cloudAtEnd }: RunRecord, refs: Broken['about']): Broken['about'] {
  const isOfAddress = refs.some(({ rows }) => rows === 'floatingIps');
  const addresses = isOfAddress ? (cloudAtEnd?.floatingIps ?? []) : [];
  return [...refs, ...addresses.flatMap(({ id }) => about('floatingIps', id))];
}

function isOpenAt({ startedAt, closedAt = Infinity }: RunRecord, time: number): boolean {
  return startedAt <= time && closedAt > time;
}

function isRestored({ result }: RunRecord): boolean {
  return at(result, 'restored') === true;
}

/** A hold that was over before the list began protects nobody. */
function endedHold(
  batch: RunRecord,
  { line, run }: { line: number; run: RunRecord | undefined },
): Finding[] {
  if (run === undefined || (run.closedAt ?? Infinity) >= batch.startedAt) return [];
  return [
    findingOf(
      'false success',
      batch,
      `it calls a line done whose hold was over before the list began (line ${line})`,
    ),
  ];
}
