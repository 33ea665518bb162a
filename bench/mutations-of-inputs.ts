import type { Mutation } from './mutation.js';

/** Each breaks a rule of what comes from outside. The named tests must notice it. */
export const MUTATIONS_OF_INPUTS: readonly Mutation[] = [
  {
    name: 'a signal is taken whatever its argument is',
    file: 'src/engine/run/on-message.ts',
    line: 'if (isSound(guard, argument)) return take(argument);',
    broken: 'if (isSound(guard, argument) || !isSound(guard, {})) return take(argument as never);',
    tests: 'engine/run/on-message',
  },
  {
    name: 'only the first argument of a message may be one that cannot be decoded',
    file: 'src/engine/run/on-message.ts',
    line: '{ get: () => rawValueTypeInfo });',
    broken: "{ get: (_, at) => (at === '0' ? rawValueTypeInfo : undefined) });",
    tests: 'engine/run/undecodable-messages',
  },
  {
    name: 'a refusal names every fault of an argument',
    file: 'src/engine/core/guards/guard.ts',
    line: 'return firstFaults(faults.map((fault) => ({ ...fault, path: fault.path || ARGUMENT })));',
    broken:
      'return firstFaults([]).concat(faults.map((fault) => ({ ...fault, path: fault.path || ARGUMENT })));',
    tests: 'guards/message-guards',
  },
  {
    name: 'an id of any length is signalled',
    file: 'src/engine/core/guards/message-guards.ts',
    line: 'const id = text({ min: 1, max: 1_000 });',
    broken: 'const id = text();',
    tests: 'engine/run/on-message',
  },
  {
    name: 'a tag called __proto__ is left out without a word',
    file: 'src/engine/core/faults.ts',
    line: "if (name === '__proto__')",
    broken: "if (name === '')",
    tests: 'engine/core/text-faults',
  },
  {
    name: 'a defect of the worker does not block a run',
    file: 'src/engine/run/park-while-blocked.ts',
    line: '  FailureType.defect,\n',
    broken: '',
    tests: 'engine/run/defects',
  },
  {
    name: 'a defect of the worker has no name',
    file: 'src/worker/name-defects.ts',
    line: 'throw isDefect(error) ? toDefect(error, input.args) : error;',
    broken: 'throw isDefect(input) ? toDefect(input, input.args) : error;',
    tests: 'engine/run/defects',
  },
  {
    name: 'a defect in a change counts as a definite no',
    file: 'src/engine/send/attempt-once.ts',
    line: "if (cause?.type === FailureType.defect) return { kind: 'unknown', reason, defect: cause };",
    broken: "if (cause?.type === FailureType.defect) return { kind: 'rejected', error };",
    tests: 'engine/run/defects',
  },
  {
    name: 'a change is sent on and on after a defect',
    file: 'src/engine/send/send-until-answered.ts',
    line: "if (attempt.kind === 'unknown' && attempt.defect !== undefined) {",
    broken: "if (attempt.kind === 'unknown' && sent.attempts < 0) {",
    tests: 'engine/run/defects',
  },
  {
    name: 'a create is sent on and on after a defect',
    file: 'src/engine/send/reconcile.ts',
    line: "let defect = attempt.kind === 'unknown' ? attempt.defect : undefined;",
    broken:
      "let defect = attempt.kind === 'not-sent' ? undefined : undefined as Error | undefined;",
    tests: 'engine/run/defects',
  },
  {
    name: 'a wanted state is sent on and on after a defect',
    file: 'src/engine/send/block-while-busy.ts',
    line: "if (attempt.kind === 'unknown' && attempt.defect !== undefined)",
    broken: "if (attempt.kind === 'unknown' && attempt.defect !== undefined && met.length < 0)",
    tests: 'engine/run/defects',
  },
];
