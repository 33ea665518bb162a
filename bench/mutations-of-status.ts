import type { Mutation } from './mutation.js';

/** What a status, `explain` and an advice say. */
export const MUTATIONS_OF_STATUS: readonly Mutation[] = [
  {
    name: 'a step shows the note of an attempt that is over',
    file: 'src/engine/run/step-recorder.ts',
    line: 'else if (!keepsNote(status, state)) delete status.note;',
    broken: 'else if (!keepsNote(status, state)) status.noteOf = state;',
    tests: 'engine/run/ended-status',
  },
  {
    name: 'a run that has ended shows a step that goes on',
    file: 'src/engine/run/ledger.ts',
    line: 'return isEndPhase(phase) ? endedStatus(document, phase, phaseSince) : document;',
    broken:
      "return isEndPhase(phase) && phaseSince === '' ? endedStatus(document, phase, phaseSince) : document;",
    tests: 'engine/run/ended-status',
  },
  {
    name: '`explain` says that nothing is left because a list is empty',
    file: 'src/client/explain/explain-closed.ts',
    line: 'if (steps.length === 0 || left.undoes !== true) return left;',
    broken: 'if (steps.length >= 0 || left.undoes !== true) return left;',
    tests: 'client/explain/closed-runs',
  },
  {
    name: '`explain` takes a reset for a defect of the worker',
    file: 'src/client/explain/read-past.ts',
    line: 'if (last === undefined || !failure || NO_FAULTS.has(cause)) return undefined;',
    broken:
      'if (last === undefined || !failure || (cause && !NO_FAULTS.has(cause))) return undefined;',
    tests: 'client/explain/read-past',
  },
  {
    name: '`explain` takes a correction that was refused for the end of a pause',
    file: 'src/client/explain/read-past.ts',
    line: '!accepted || !refused.has(String(eventId)),',
    broken: '!accepted || !refused.has(`${String(eventId)} `),',
    tests: 'client/explain/read-past',
  },
  {
    name: '`explain` takes what a cancelled run has made for what it has left',
    file: 'src/client/explain/explain-closed.ts',
    line: 'if (status === undefined) return joinWithAnd(past.leftIds ?? []);',
    broken: 'if (status === undefined) return joinWithAnd(past.resourceIds);',
    tests: 'client/explain/cancelled-runs',
  },
  {
    name: '`explain` sends a person from a failed plan to a run that makes things',
    file: 'src/client/explain/start-again.ts',
    line: 'const words = isPlan(facts)',
    broken: 'const words = isPlan({ ...facts, workflowId: requestId ?? workflowId })',
    tests: 'client/explain/ended-plans',
  },
  {
    name: 'the status of a terminated run waits on',
    file: 'src/client/create-queries.ts',
    line: 'const known = cutShort === undefined ? said : cutShortStatus(said, cutShort);',
    broken:
      'const known = cutShort === undefined ? said : { ...cutShortStatus(said, cutShort), ...said };',
    tests: 'client/create-queries',
  },
  {
    name: 'a step that a rollback does not undo goes on in the status',
    file: 'src/engine/run/rollback.ts',
    line: 'if (!isOpen || names.has(name) || state === StepState.outcomeUnknown) continue;',
    broken: 'if (!isOpen || !names.has(name) || state === StepState.outcomeUnknown) continue;',
    tests: 'engine/run/ledger-rolling-back',
  },
  {
    name: 'a run that undoes its work takes another input',
    file: 'src/engine/run/ledger.ts',
    line: 'if (phase === Phase.rollingBack) return UNDOES;',
    broken: 'if (phase === Phase.failed) return UNDOES;',
    tests: 'engine/run/ledger-rolling-back',
  },
  {
    name: 'a failure names what the run has removed as still there',
    file: 'src/workflows/provision-instance/steps/remove-instance.ts',
    line: 'step.set(step.state, { resources: left.map(({ resource }) => resource) });',
    broken: 'step.set(step.state, { resources });',
    tests: 'provision-instance/removal.server',
  },
  {
    name: 'a protection whose run was terminated counts as undone',
    file: 'src/workflows/provision-instance/steps/protect-instance.ts',
    line: "if (isCutShort === true) throw notUndoneFailure('was terminated and has undone nothing');",
    broken:
      "if (isCutShort === false) throw notUndoneFailure('was terminated and has undone nothing');",
    tests: 'provision-instance/provision-protected.server',
  },
  {
    name: 'a wait of a whole grace time is called usual within seconds',
    file: 'src/engine/wait/create-pause.ts',
    line: '...(endsBy > now && mayLast?.() !== true && { endsBy: isoOf(endsBy) }),',
    broken: '',
    tests: 'provision-instance/waiting',
  },
  {
    name: 'a wait that a task may make longer promises an end',
    file: 'src/engine/send/reconcile.ts',
    line: "isPending = verdict.kind === 'pending';",
    broken: "isPending = verdict.kind === 'pending' && isLate;",
    tests: 'provision-instance/waiting',
  },
  {
    name: '`explain` counts a run from its last history',
    file: 'src/client/explain/gather-facts.ts',
    line: 'run: startedAt === undefined ? run : { ...run, startedAt },',
    broken: 'run: startedAt === undefined ? run : { ...run, startedAt: run.startedAt },',
    tests: 'protect-ip/long-hold',
  },
  {
    name: 'the advice of a blocked run sends a person to start another one',
    file: 'src/engine/http/api-description.ts',
    line: "QuotaExceeded: 'Ask for a higher quota or delete what is not needed.',",
    broken:
      "QuotaExceeded: 'Ask for a higher quota or delete what is not needed, then start again.',",
    tests: 'engine/http/advice',
  },
  {
    name: 'the volume of a failed create ends the search for its instance',
    file: 'src/workflows/provision-instance/steps/made-resources.ts',
    line: 'return isSure || showsAll(run, request, { taskIds, made }) ? made : undefined;',
    broken:
      'return isSure || made.volumeIds.length > 0 || showsAll(run, request, { taskIds, made }) ? made : undefined;',
    tests: 'provision-instance/failed-task',
  },
];
