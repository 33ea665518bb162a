import type { Mutation } from './mutation.js';

/** Each lets a run use what it has seen when it may no longer be so. */
export const MUTATIONS_OF_LOOKS: readonly Mutation[] = [
  {
    name: 'a change waits for a worker however old its look is',
    file: 'src/workflows/engine/send/attempt-once.ts',
    line: 'sending.send({ scheduleToStartTimeout: left })',
    broken: 'sending.send({ scheduleToStartTimeout: left * 1e6 })',
    tests: 'fresh-looks',
  },
  {
    name: 'a change is sent although its look is old',
    file: 'src/workflows/engine/send/attempt-once.ts',
    line: 'if (left <= 0) {',
    broken: 'if (left <= -Infinity) {',
    tests: 'attempt-once',
  },
  {
    name: 'a pause does not take back a call that waits',
    file: 'src/workflows/engine/run/pause-state.ts',
    line: 'if (next) for (const act of listeners) act();',
    broken: 'if (next && listeners.size < 0) for (const act of listeners) act();',
    tests: 'fresh-looks',
  },
  {
    name: 'a read counts as made when the run hears of it',
    file: 'src/workflows/engine/run/proxied.ts',
    line: 'readTime(readAt, { asked, heard: Date.now() })',
    broken: 'readTime(readAt && Date.now(), { asked, heard: Date.now() })',
    tests: 'fresh-looks',
  },
  {
    name: 'the keys of a storage are replaced without a comparison',
    file: 'src/activities/sftp-storages.ts',
    line: 'if (!isSameValue(current.sshKeyIds, input.seen))',
    broken: 'if (!isSameValue(current.sshKeyIds, current.sshKeyIds))',
    tests: 'activities/sftp-storages',
  },
  {
    name: 'a rollback deletes a floating IP that somebody has moved',
    file: 'src/workflows/shared/holders.ts',
    line: 'return home.instanceIds.includes(instanceId) ? undefined',
    broken: 'return instanceId.length > 0 ? undefined',
    tests: 'delete-instance/steps/choices',
  },
  {
    name: 'a pause is lost when the history changes',
    file: 'src/workflows/engine/run/continue-run-as-new.ts',
    line: '} while (run.controls.pause.isPaused());',
    broken: '} while (run.controls.resumes() < 0);',
    tests: 'pause-at-hand-over',
  },
  {
    name: 'Temporal repeats a delete through an outage',
    file: 'src/workflows/engine/run/api.ts',
    line: 'retry: { maximumAttempts: 1 }',
    broken: 'retry: retryUntilAnswered(policy)',
    tests: 'delete-instance-paused',
  },
  {
    name: 'a call that is not begun takes back the links of the one before',
    file: 'src/workflows/grant-sftp-access/steps/link-sftp-keys.ts',
    line: 'made.latest = [];',
    broken: 'made.latest = [...made.latest];',
    tests: 'grant-sftp-access-racing',
  },
  {
    name: 'a batch that was turned away counts as one with a partial answer',
    file: 'src/workflows/import-videos/steps/create-video-batch.ts',
    line: "if (classifyAttempt(error).kind === 'unknown') unclear += 1;",
    broken: 'unclear += 1;',
    tests: 'import-videos-lost',
  },
  {
    name: 'the outcome counts as unknown when a run takes a call back before it is sent',
    file: 'src/activities/sftp-storages.ts',
    line: 'await beforeSending(() => readStorage(input.storageId))',
    broken: 'await readStorage(input.storageId)',
    tests: 'activities/sftp-storages',
  },
  {
    name: 'a change rests on a look from before a pause',
    file: 'src/workflows/engine/send/attempt-once.ts',
    line: 'if (wasPaused) return OUTDATED;',
    broken: 'if (wasPaused && turns.doubted.size < 0) return OUTDATED;',
    tests: 'attempt-once',
  },
];
