/** One line of the engine, and a way to break it. */
export interface Mutation {
  name: string;
  file: string;
  line: string;
  broken: string;
  /** The tests that notice it, as a jest pattern. Left out: the fault matrix. */
  tests?: string;
}

/** Each breaks a rule that keeps the promises. The matrix or the named tests must notice it. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a call whose answer was lost is sent again without a look',
    file: 'src/workflows/engine/send/send-once.ts',
    line: 'return reconcile(run, mutation, sent);\n  }\n  noteNotSent',
    broken:
      "return Promise.resolve(sent).then(() => ({ kind: 'absent' }) as const);\n  }\n  noteNotSent",
  },
  {
    name: 'an empty list is believed before the grace time is over',
    file: 'src/workflows/engine/send/reconcile.ts',
    line: "return isLate ? noted(run, { kind: 'absent' }) : undefined;",
    broken: "return isLate || sent.from > 0 ? noted(run, { kind: 'absent' }) : undefined;",
  },
  {
    name: 'a create has three attempts',
    file: 'src/workflows/engine/run/api.ts',
    line: 'retry: { maximumAttempts: 1 }',
    broken: 'retry: { maximumAttempts: 3 }',
  },
  {
    name: 'a rollback does not wait for the create',
    file: 'src/workflows/provision-instance/steps/remove-instance.ts',
    line: "await waitForTasks(run, taskIds, { step, expect: 'create_vm', unlimited: true });",
    broken: '',
  },
  {
    name: 'leftovers of a failed create are looked for once',
    file: 'src/workflows/provision-instance/steps/made-resources.ts',
    line: 'return isSure || showsAll(run, request, { taskIds, made }) ? made : undefined;',
    broken: 'return isSure || made.listed.length >= 0 ? made : undefined;',
  },
  {
    name: 'a removal is not verified',
    file: 'src/workflows/engine/send/until-gone.ts',
    line: 'if (left.length === 0) return;',
    broken: 'if (left.length >= 0) return;',
  },
  {
    name: 'a rollback forgets the call with an unknown outcome',
    file: 'src/workflows/engine/send/send-once.ts',
    line: 'Object.assign(lastCall, { lostIn: sent, mayExist: true });',
    broken: 'Object.assign(lastCall, { lostIn: undefined, mayExist: sent.from > 0 });',
  },
  {
    name: 'a rollback takes what another run of the request made',
    file: 'src/workflows/provision-instance/steps/ownership.ts',
    line: 'const makers = [own, ...leftovers.makers];\n  const found = await api.reads.listVolumes({ ...search, makers });',
    broken:
      'const makers = [own, ...leftovers.makers];\n  const found = await api.reads.listVolumes(search);',
    tests: 'provision-instance/ownership',
  },
  {
    name: 'a broken instance of an earlier success counts as a leftover',
    file: 'src/workflows/provision-instance/steps/ownership.ts',
    line: 'const isLeftover = await prepareActivities.endedWithoutSuccess({ runId });',
    broken:
      "const isLeftover = (await prepareActivities.endedWithoutSuccess({ runId })) || runId !== '';",
    tests: 'provision-instance/ownership',
  },
  {
    name: 'what another namespace made under the same marker counts as ours',
    file: 'src/activities/cloud-list.ts',
    line: 'namespaceIdOf(maker) === namespaceId;',
    broken: "namespaceIdOf(maker) !== '';",
    tests: 'provision-instance/ownership',
  },
  {
    name: 'what somebody else made while the create was not sent counts as ours',
    file: 'src/workflows/engine/send/send-once.ts',
    line: "?? attempt.kind === 'unknown';",
    broken: '?? attempt.kind !== undefined;',
    tests: 'protect-ip-ownership',
  },
  {
    name: 'a rollback removes what a call that was never sent would have made',
    file: 'src/workflows/engine/send/send-once.ts',
    line: 'return !mayExist;',
    broken: 'return mayExist === undefined;',
    tests: 'protect-ip-ownership',
  },
  {
    name: 'the late calls of a terminated run are waited for in one region only',
    file: 'src/workflows/provision-instance/steps/create-instance-once.ts',
    line: 'if (run.prepared.cutShortAt !== undefined) {',
    broken: 'if (run.prepared.cutShortAt === 0) {',
    tests: 'provision-instance/restarted',
  },
  {
    name: 'the late calls of a terminated run with another id are not waited for',
    file: 'src/activities/prepare/check-input.ts',
    line: '...(turnId === undefined ? [] : [turnId])',
    broken: '...(turnId === undefined ? [] : [turnId].slice(1))',
    tests: 'grant-sftp-access-restarted',
  },
  {
    name: 'a task with the tags of this run does not count as its lost call',
    file: 'src/activities/create-tasks.ts',
    line: 'return tags[MARKER_TAG] === marker && tags[MAKER_TAG] === maker;',
    broken: "return tags[MARKER_TAG] === marker && tags[MAKER_TAG] === '';",
    tests: 'provision-instance/lost-and-failed',
  },
  {
    name: 'the first page of a list counts as the whole',
    file: 'src/activities/cloud-list.ts',
    line: 'if (isWhole) return found;',
    broken: 'if (isWhole || rows.length > 0) return found;',
  },
  {
    name: 'a run that was reset trusts what it has seen before',
    file: 'src/activities/refuse-after-reset.ts',
    line: 'if (runIdOf(maker) === runId) return;',
    broken: "if (runIdOf(maker) !== '') return;",
    tests: 'provision-instance/reset',
  },
  {
    name: 'a delete without a task counts as a proof',
    file: 'src/workflows/engine/send/until-gone.ts',
    line: 'return gone === true;',
    broken: 'return gone === true || gone === undefined;',
    tests: 'provision-instance/removal',
  },
  {
    name: 'a removal that gets no further never blocks',
    file: 'src/workflows/engine/send/until-gone.ts',
    line: 'if (fruitless >= MAX_FRUITLESS)',
    broken: 'if (fruitless >= MAX_FRUITLESS * 1e9)',
    tests: 'provision-instance/removal',
  },
  {
    name: 'a create that is always answered with 409 never blocks',
    file: 'src/workflows/engine/send/block-while-busy.ts',
    line: 'if (times < MAX_BUSY ||',
    broken: 'if (times < MAX_BUSY * 1e9 ||',
    tests: 'provision-instance/busy',
  },
  {
    name: 'a corrected input is taken although the call of the old one was sent meanwhile',
    file: 'src/workflows/engine/run/control-run.ts',
    line: 'if (reason !== undefined) throw refusedFailure(reason);',
    broken: "if (reason === '') throw refusedFailure(reason);",
    tests: 'provision-instance/late-correction',
  },
  {
    name: 'a run that is cancelled does not take back the call that waits for its turn',
    file: 'src/workflows/engine/run/api.ts',
    line: "const cancellationType = 'WAIT_CANCELLATION_COMPLETED';",
    broken: "const cancellationType = 'ABANDON';",
    tests: 'withdrawn-call',
  },
  {
    name: 'a run hears that another run was asked to cancel',
    file: 'src/workflows/engine/run/cancel-asked.ts',
    line: 'const askedOfRun = (): CancelAsked => (globalThis.cancelAsked ??= {});',
    broken: 'const shared: CancelAsked = {};\nconst askedOfRun = (): CancelAsked => shared;',
    tests: 'who-asked',
  },
  {
    name: 'a worker that has stood still sends the calls of long ago',
    file: 'src/activities/http/send-in-turn.ts',
    line: 'if (isLate()) return Standing.unproven;',
    broken: 'if (isLate() && timeoutMs < 0) return Standing.unproven;',
    tests: 'frozen-worker',
  },
  {
    name: 'a list of tasks that cannot be read is tried for ever',
    file: 'src/activities/list-health.ts',
    line: 'const isFinal = failures > MAX_FAILURES && !isRateLimit(error);',
    broken: 'const isFinal = failures > MAX_FAILURES * 1e9 && !isRateLimit(error);',
    tests: 'wait/unwatched',
  },
  {
    name: 'a run waits for a watcher that does not exist',
    file: 'src/workflows/engine/run/api.ts',
    line: 'scheduleToStartTimeout: watchStartMs(policy),',
    broken: '',
    tests: 'wait/unwatched',
  },
  {
    name: 'every process of an account watches',
    file: 'src/worker/election.ts',
    line: 'known < WATCHERS;',
    broken: 'known < WATCHERS * 1e9;',
    tests: 'worker/election',
  },
  {
    name: 'npm start leaves its worker behind when it ends',
    file: 'package.json',
    line: '"start": "exec node',
    broken: '"start": "node',
    tests: 'worker/main',
  },
  {
    name: 'a worker that has lost its Temporal server says that the server answers',
    file: 'src/worker/health/worker-health.ts',
    line: 'return { name, ok: ms < NO_ANSWER_MS, text };',
    broken: 'return { name, ok: ms < NO_ANSWER_MS * 1e9, text };',
    tests: 'worker/health/readiness',
  },
  {
    name: 'a run is not in the trace of its caller',
    file: 'src/observe/tracing/client-spans.ts',
    line: 'startWithDetails: (input, next) => spans.startWithDetails(input, next),',
    broken: 'startWithDetails: (input, next) => next(input),',
    tests: 'observe/tracing/one-trace',
  },
  {
    name: 'a count of runs is missing until the first run has ended',
    file: 'src/worker/run-worker.ts',
    line: 'beginCounters(ports.runtime.metricMeter, namespace);',
    broken: "if (namespace === '') beginCounters(ports.runtime.metricMeter, namespace);",
    tests: 'cli/commands/dev.server',
  },
];
