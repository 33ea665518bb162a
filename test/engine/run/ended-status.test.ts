import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { Phase, StepState } from '../../../src/engine/core/status.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { endedStatus, type EndPhase } from '../../../src/engine/run/fit-status.js';
import { createLedger } from '../../../src/engine/run/ledger.js';

const AT = '2026-05-23T05:07:31.000Z';
const NOT_DONE = 'the run ended before this step was done';
const END_PHASES: readonly EndPhase[] = [Phase.succeeded, Phase.failed, Phase.cancelled];

function createLedgerOf(...steps: string[]) {
  return createLedger({ operation: 'provisionInstance', steps }, () => undefined);
}

describe('the status of a run that has ended', () => {
  it.each([StepState.planned, StepState.sending, StepState.accepted, StepState.waiting])(
    'shows no step that was %s as going on',
    (state) => {
      const ledger = createLedgerOf('verify');
      ledger.step('verify').set(state);

      ledger.setPhase(Phase.cancelled);

      const [step] = ledger.document().steps;
      expect(step).toMatchObject({
        state: 'failed',
        endedAt: expect.stringMatching(/Z$/),
        note: NOT_DONE,
      });
    },
  );

  it('leaves a step that never began as planned', () => {
    const ledger = createLedgerOf('create', 'verify');
    ledger.step('create').set(StepState.failed);

    ledger.setPhase(Phase.failed);

    expect(ledger.document().steps[1]).toEqual({
      name: 'verify',
      state: 'planned',
      taskIds: [],
      resources: [],
    });
  });

  it('still says that an outcome is unknown, and why', () => {
    const ledger = createLedgerOf('create');
    ledger.step('create').set(StepState.outcomeUnknown, { note: 'no answer' });

    const { steps } = endedStatus(ledger.document(), Phase.failed, AT);

    expect(steps[0]).toMatchObject({ state: 'outcome-unknown', endedAt: AT, note: 'no answer' });
  });

  it('says where an accepted step came from', () => {
    const ledger = createLedgerOf('create');
    ledger.step('create').set(StepState.accepted, { note: 'found from an earlier try' });

    const { steps } = endedStatus(ledger.document(), Phase.failed, AT);

    expect(steps[0]?.note).toBe(`found from an earlier try; ${NOT_DONE}`);
  });

  it('waits for nothing, and asks for nothing', () => {
    const ledger = createLedgerOf('create');
    ledger.setWaiting({ for: 'task t-1', since: AT });
    ledger.setBlocked({}, { type: 'QuotaExceeded', message: 'm', advice: 'a', since: AT });

    const ended = endedStatus(ledger.document(), Phase.failed, AT);

    expect(ended).toEqual({
      version: 1,
      operation: 'provisionInstance',
      phase: 'failed',
      steps: [{ name: 'create', state: 'planned', taskIds: [], resources: [] }],
    });
  });
});

/** One change of a step; `isNoted`: with a note that names the attempt. */
const changes = fc.array(
  fc.record({
    step: fc.constantFrom('create', 'verify', 'protect'),
    state: fc.constantFrom(...Object.values(StepState)),
    isNoted: fc.boolean(),
  }),
  { maxLength: 30 },
);

const DONE: ReadonlySet<StepState> = new Set([
  StepState.accepted,
  StepState.verified,
  StepState.undone,
  StepState.kept,
]);

/** The notes that each step may still show: of its last attempt, and no trouble once it is done. */
function notesInForce(random: { step: string; state: StepState; isNoted: boolean }[]) {
  const ledger = createLedgerOf('create', 'verify', 'protect');
  const inForce = new Map<string, Set<string>>();
  random.forEach(({ step, state, isNoted }, at) => {
    const note = `${DONE.has(state) ? 'done' : 'trouble'} ${at}`;
    const before = [...(inForce.get(step) ?? [])];
    const isNext = state === StepState.sending;
    const isStill = (text: string) => !isNext && !(DONE.has(state) && text.startsWith('trouble'));
    ledger.step(step).set(state, isNoted ? { note } : {});
    inForce.set(step, new Set([...before.filter(isStill), ...(isNoted ? [note] : [])]));
  });
  return { ledger, inForce };
}

function openSteps({ steps }: StatusDocument) {
  return steps.filter(({ startedAt, endedAt }) => startedAt !== undefined && endedAt === undefined);
}

/** `sending` begins another attempt. */
const LASTING = Object.values(StepState).filter((state) => state !== StepState.sending);

describe('whatever a run has gone through', () => {
  it('an ended status has no open step', () => {
    fc.assert(
      fc.property(changes, fc.constantFrom(...END_PHASES), (random, phase) => {
        const { ledger, inForce } = notesInForce(random);
        ledger.setWaiting({ for: 'task t-1', since: AT });

        ledger.setPhase(phase);

        const document = ledger.document();
        expect(openSteps(document)).toEqual([]);
        expect(document.steps.map(({ state }) => state)).not.toContain(StepState.waiting);
        expect(document).not.toHaveProperty('waiting');
        for (const { name, note = NOT_DONE } of document.steps) {
          expect([...(inForce.get(name) ?? []), NOT_DONE]).toContain(note.split('; ').at(-1));
        }
      }),
    );
  });

  it('a step shows no note of an attempt that is over', () => {
    fc.assert(
      fc.property(changes, (random) => {
        const { ledger, inForce } = notesInForce(random);

        const { steps } = ledger.document();

        const notes = steps.flatMap(({ name, note }) => (note === undefined ? [] : { name, note }));
        for (const { name, note } of notes) expect(inForce.get(name)).toContain(note);
      }),
      { numRuns: 1_000 },
    );
  });

  it('a note stays with the state that it came with', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LASTING), (state) => {
        const ledger = createLedgerOf('create');
        ledger.step('create').set(state, { note: 'why' });

        ledger.step('create').set(state, { taskIds: ['t-1'] });

        expect(ledger.document().steps[0]?.note).toBe('why');
      }),
    );
  });
});
