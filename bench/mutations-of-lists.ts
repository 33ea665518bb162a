import type { Mutation } from './mutation.js';

/** Each breaks a rule by which a list is made once and handed over whole. The named tests must notice it. */
export const MUTATIONS_OF_LISTS: readonly Mutation[] = [
  {
    name: 'the origin tells no videos of our marker apart',
    file: 'src/activities/videos/match-videos.ts',
    line: 'const candidates = byOrigin.length > 0 ? byOrigin : items;',
    broken: 'const candidates = byOrigin.length > items.length ? byOrigin : items;',
    tests: 'import-videos/import-videos-stored',
  },
  {
    name: 'what is unclear under our marker counts as absent',
    file: 'src/workflows/import-videos/steps/judge-found.ts',
    line: "if (found.unclear === '') return { kind: 'absent' };",
    broken: "if (found.unclear.length >= 0) return { kind: 'absent' };",
    tests: 'import-videos/import-videos-stored',
  },
  {
    name: 'what a forgotten run has made counts as of this list',
    file: 'src/workflows/import-videos/steps/judge-found.ts',
    line: "return isKnown ? undefined : 'forgotten';",
    broken: "return isKnown || digests.length === 0 ? undefined : 'forgotten';",
    tests: 'import-videos/import-videos-unlisted',
  },
  {
    name: 'a part of a batch takes the videos of the parts that come later',
    file: 'src/activities/videos/find-videos.ts',
    line: 'const mayHaveVideo = isIn(only && `${only} ${beside}`);',
    broken: 'const mayHaveVideo = isIn(only && `${only} ${beside.slice(0, 0)}`);',
    tests: 'activities/videos.test',
  },
  {
    name: 'each look is told of all videos of the run',
    file: 'src/workflows/import-videos/steps/create-video-batch.ts',
    line: 'return hasOwnIds === true ? progress.ids() : [progress.idsOf(batch.lines)];',
    broken: 'return hasOwnIds !== undefined || batch ? progress.ids() : [];',
    tests: 'import-videos/import-videos-operated',
  },
  {
    name: 'nobody looks what exists under a marker of the caller before the first call',
    file: 'src/workflows/import-videos/steps/create-video-batch.ts',
    line: 'return !current.looksFirst && prepared.cutShortAt === undefined;',
    broken: 'return !current.looksFirst && prepared.cutShortAt !== undefined;',
    tests: 'import-videos/import-videos-stored',
  },
  {
    name: 'a window of time ignores the clock of the API',
    file: 'src/activities/http/times-of-api.ts',
    line: 'from: from + Math.min(aheadMs, 0) - CLOCK_SKEW_MS,',
    broken: 'from: from + Math.min(aheadMs, 0) * 0 - CLOCK_SKEW_MS,',
    tests: 'import-videos/import-videos-stored',
  },
  {
    name: 'a list of ports has to come back in its order',
    file: 'src/contract/same-value.ts',
    line: "return `[${value.map(formOf).sort().join(',')}]`;",
    broken: "return `[${value.map(formOf).join(',')}]`;",
    tests: 'protect-ip/protect-ip.server',
  },
  {
    name: 'the deadline begins anew with each history',
    file: 'src/workflows/engine/run/earlier-history.ts',
    line: 'return earlier?.startedAt ?? workflowInfo().startTime.getTime();',
    broken: 'return earlier === null ? 0 : workflowInfo().startTime.getTime();',
    tests: 'import-videos/import-videos-histories',
  },
  {
    name: 'a hold that continues watches the deadline again',
    file: 'src/workflows/engine/run/run.ts',
    line: 'state.prepared = { ...run.prepared, deadlineMs: undefined };',
    broken: 'state.prepared = { ...run.prepared };',
    tests: 'protect-ip/long-hold',
  },
  {
    name: 'the next history prepares again',
    file: 'src/workflows/engine/run/run.ts',
    line: 'return earlier === undefined ? prepare(input, firstEvent()) : preparedBefore(earlier);',
    broken:
      'return earlier === undefined || preparedBefore(earlier) ? prepare(input, firstEvent()) : prepare(input);',
    tests: 'import-videos/import-videos-histories',
  },
  {
    name: 'a later history that was reset takes the calls of before for its own',
    file: 'src/workflows/engine/run/earlier-history.ts',
    line: 'const { originalExecutionRunId } = workflowInfo();',
    broken: 'const { runId: originalExecutionRunId } = workflowInfo();',
    tests: 'import-videos/import-videos-histories',
  },
  {
    name: 'the next history shows no steps',
    file: 'src/workflows/engine/run/run.ts',
    line: '...(earlier && { earlierSteps: earlier.steps }),',
    broken: '',
    tests: 'import-videos/import-videos-histories',
  },
  {
    name: 'the next history takes places for lines',
    file: 'src/workflows/import-videos/steps/import-state.ts',
    line: 'known: withLines(known, asked.toLines),',
    broken: 'known,',
    tests: 'import-videos/import-videos-histories',
  },
];
