import type { Mutation } from './mutation.js';

/** Each breaks a rule of turns, or of what a run and its children are to each other after a reset. */
export const MUTATIONS_OF_TURNS: readonly Mutation[] = [
  {
    name: 'a run that ended without its lock ends the lock of the next run',
    file: 'src/engine/turns/lock-state.ts',
    line: 'return end.lock === state.lock ? { ...state, end: state.end ?? end } : state;',
    broken: "return end.lock === '' ? state : { ...state, end: state.end ?? end };",
    tests: 'turns/reset-in-turn',
  },
  {
    name: 'a run says of any lock that it is its own',
    file: 'src/engine/run/hear-turns.ts',
    line: 'if (locks.has(lock.runId)) return;',
    broken: 'if (locks.size >= 0) return;',
    tests: 'turns/reset-in-turn',
  },
  {
    name: 'a lock believes that its holder is there',
    file: 'src/engine/turns/hold-turn.ts',
    line: 'state = delivery === Delivery.gone ? noteGone(state) : noteHeard(state, Date.now());',
    broken:
      'state = noteHeard(state, delivery === Delivery.gone ? Date.now() : Date.now());\n    noteGone(state);',
    tests: 'turns/turns',
  },
  {
    name: 'a run that rolls back in its turn cannot hear whether it still has it',
    file: 'src/engine/run/hear-turns.ts',
    line: 'onSignal(turnAskedSignal, turnQuestion, ({ resource, lock }) =>\n    CancellationScope.nonCancellable(async () => {',
    broken:
      'onSignal(turnAskedSignal, turnQuestion, ({ resource, lock }) =>\n    CancellationScope.cancellable(async () => {',
    tests: 'turns/turns',
  },
  {
    name: 'a cancelled run does not cancel the run that protects its address',
    file: 'src/engine/run/run-child.ts',
    line: 'if (!hasEnded) await cancelRun(child.workflowId);',
    broken: "if (child.workflowId === '' && !hasEnded) await cancelRun(child.workflowId);",
    tests: 'provision-protected-reset',
  },
  {
    name: 'a protecting run from before a reset is left alone',
    file: 'src/workflows/provision-instance/steps/protect-instance.ts',
    line: 'if (!isOrphanAsked) await cancelRun(workflowId);',
    broken: "if (!isOrphanAsked && workflowId === '') await cancelRun(workflowId);",
    tests: 'provision-protected-reset',
  },
  {
    name: 'a reset run writes without making sure of its turn',
    file: 'src/engine/activities/refuse-in-reset-run.ts',
    line: 'if (writer === undefined || runId === undefined || before === undefined) return;',
    broken: "if (writer === undefined || runId === undefined || before !== '') return;",
    tests: 'grant-sftp-access-reset',
  },
  {
    name: 'a reset run that was refused does not get its turn again',
    file: 'src/engine/run/confirm-turns.ts',
    line: 'await held.get(resource)?.retake();',
    broken: 'held.get(resource);',
    tests: 'grant-sftp-access-reset',
  },
  {
    name: 'a lock that has lost its run does not say so when it ends',
    file: 'src/engine/turns/hold-turn.ts',
    line: 'if (step.isCutShort) throw lostItsRun(state.holder);',
    broken: 'if (step.isCutShort && !step.kind) throw lostItsRun(state.holder);',
    tests: 'grant-sftp-access-restarted',
  },
  {
    name: 'a history after a reset trusts the turn that it is handed',
    file: 'src/workflows/protect-ip/steps/hold-protection.ts',
    line: 'if (turn.isDoubted) run.turns.doubted.add(resource);',
    broken: 'if (turn.isDoubted && turn.lock === "") run.turns.doubted.add(resource);',
    tests: 'protect-ip/long-hold',
  },
];
