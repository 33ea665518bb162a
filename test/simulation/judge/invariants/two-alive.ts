import type { CallRecord, Finding } from '../../world/records.js';
import { createAliveWatch, isOfRest } from '../alive-watch.js';
import { wasAsked, type Facts } from '../facts/facts.js';
import { isMutating } from '../facts/effects.js';
import { isAlive } from '../facts/rows.js';
import { at, listAt, parsed, stable, textAt } from '../facts/values.js';
import { inputAs } from '../facts/operations.js';
import { namedBy, notesOfLeft } from '../facts/status.js';
import { findingOf } from './findings.js';

/** At most one alive of anything that one request makes: in every state of the cloud that is known. */
export function twoAlive(facts: Facts): Finding[] {
  const watch = createAliveWatch();
  const { evidence, timeline } = facts;
  for (const call of evidence.calls) {
    if (isMutating(call)) watch.see(call, call.cloudAfter ?? timeline.after(call.at));
  }
  watch.look(evidence.after);
  const found = [...evidence.aliveAtOnce, ...watch.findings()];
  const isExcused = (finding: Finding) => isKept(facts, finding) || isTold(facts, finding);
  return [...found.filter((finding) => !isExcused(finding)), ...twoVideos(facts)];
}

const BY_NAME =
  /a second (?:KV store|SSH key|SFTP storage|subtitles) of one request .* \((\S+) and /;

/**
 * No marker finds it again, so the promise is one of each name: whoever stops a run is told what it has made, and may ask for another
 * name then.
 */
function isTold(facts: Facts, { workflowId = '', says }: Finding): boolean {
  const [, first] = BY_NAME.exec(says) ?? [];
  if (first === undefined) return false;
  // Whoever deletes the run takes along the only word of it.
  if (wasAsked(facts, 'delete', workflowId)) return true;
  return facts
    .runsOf(workflowId)
    .some(
      (run) =>
        (run.state === 'failed' || run.state === 'cancelled') &&
        namedBy(run).some(({ id }) => id === first),
    );
}

/** The rest of a call that has failed, which the input asks to keep, or which an earlier run has left: a note names that. */
function isKept(facts: Facts, finding: Finding): boolean {
  const runs = facts.runsOf(finding.workflowId ?? '');
  return (
    isOfRest(finding) &&
    runs.some((run) => textAt(run.input, 'onFailure') === 'keep' || notesOfLeft(run).length > 0)
  );
}

const VIDEO_CALL = /^\/streaming\/videos(?:\/batch)?$/;

/** At most one video for each line: lines that say the same have as many videos as they are. */
function twoVideos(facts: Facts): Finding[] {
  const imports = new Map<string, CallRecord[]>();
  for (const { call, workflowId } of facts.acts) {
    if (
      workflowId === undefined ||
      call.actor !== undefined ||
      !VIDEO_CALL.test(call.path.split('?')[0] ?? '')
    )
      continue;
    imports.set(workflowId, [...(imports.get(workflowId) ?? []), call]);
  }
  return [...imports].flatMap(([workflowId, calls]) => {
    const lists = listsOf(facts, workflowId);
    if (lists.length === 0) return [];
    const asked = mostOf(lists);
    const made = countsOf(calls.flatMap((call) => aliveOf(facts, call)));
    const [doubled] = [...made].find(([key, count]) => count > (asked.get(key) ?? 0)) ?? [];
    if (doubled === undefined) return [];
    const says = `a line has more than one video, or there is a video of no line (${doubled.slice(0, 120)}). There must be one for each.`;
    return [findingOf('two alive', { workflowId, operation: 'importVideos' }, says)];
  });
}

/** The lines of each list that the runs of a request have had. */
function listsOf(facts: Facts, workflowId: string): string[][] {
  return facts.runsOf(workflowId).flatMap(({ input, inputsBefore = [] }) =>
    [input, ...inputsBefore].flatMap((each) => {
      const videos = inputAs('importVideos', each)?.videos;
      return videos === undefined ? [] : [videos.map(keyOfVideo)];
    }),
  );
}

function mostOf(lists: readonly (readonly string[])[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const list of lists) {
    for (const [key, count] of countsOf(list)) most.set(key, Math.max(count, most.get(key) ?? 0));
  }
  return most;
}

/** What was sent for the videos of this call that still exist, by their place in it. */
function aliveOf({ evidence }: Facts, { body, answer }: CallRecord): string[] {
  const sent = parsed(body);
  const items = [...listAt(sent, 'videos'), at(sent, 'video')];
  const answers: unknown[] = Array.isArray(answer) ? answer : [answer];
  const alive = new Set(evidence.after.videos.filter(isAlive).map(({ id }) => id));
  return answers.flatMap((made, index) => {
    const id = typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : '';
    return alive.has(id) ? [keyOfVideo(items[index])] : [];
  });
}

function keyOfVideo(item: unknown): string {
  // A secret by its name is another text when it is sent.
  return stable([textAt(item, 'name') ?? null]);
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
