import { describe, expect, it } from '@jest/globals';

import { FailureType } from '../../../src/engine/core/failures.js';
import { Phase, StepState } from '../../../src/engine/core/status.js';
import { ResourceKind } from '../../../src/contract/wire/names.js';
import { statusDocumentSchema } from '../../../src/contract/documents.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { createLedger } from '../../../src/engine/run/ledger.js';

const INSTANCE = { kind: ResourceKind.instance, id: 'i-1' };
const VOLUME = { kind: ResourceKind.volume, id: 'v-1' };
const WAITING = { for: 'task t-1', since: '2026-05-23T05:07:31.000Z' };

function createLedgerOf(...steps: string[]) {
  const published: StatusDocument[] = [];
  const ledger = createLedger({ operation: 'provisionInstance', steps }, (document) =>
    published.push(document),
  );
  return { ledger, published };
}

describe('a ledger', () => {
  it('removes the end of a step that continues', () => {
    const { ledger } = createLedgerOf('create');
    const step = ledger.step('create');
    step.set(StepState.failed);

    step.set(StepState.waiting);

    expect(ledger.document().steps[0]).not.toHaveProperty('endedAt');
  });

  it('shows every planned step before anything has happened', () => {
    const { ledger, published } = createLedgerOf('create', 'verify');

    const document = ledger.document();

    const planned = { state: 'planned', taskIds: [], resources: [] };
    expect(document).toEqual({
      version: 1,
      operation: 'provisionInstance',
      phase: 'running',
      steps: [
        { name: 'create', ...planned },
        { name: 'verify', ...planned },
      ],
    });
    expect(published).toEqual([]);
    expect(ledger.currentStep()).toBeUndefined();
  });

  it('replaces the fields of a call and keeps the others', () => {
    const { ledger } = createLedgerOf('create');
    const step = ledger.step('create');

    step.set(StepState.accepted, { taskIds: ['t-1'] });
    step.set(StepState.waiting, { resources: [INSTANCE] });
    step.set(StepState.verified, { note: 'status ACTIVE' });

    expect(ledger.document().steps).toEqual([
      {
        name: 'create',
        state: 'verified',
        startedAt: expect.stringMatching(/Z$/),
        endedAt: expect.stringMatching(/Z$/),
        taskIds: ['t-1'],
        resources: [INSTANCE],
        note: 'status ACTIVE',
      },
    ]);
    expect(step.state).toBe('verified');
  });

  it.each([
    [StepState.planned, false],
    [StepState.sending, false],
    [StepState.accepted, false],
    [StepState.outcomeUnknown, false],
    [StepState.waiting, false],
    [StepState.verified, true],
    [StepState.failed, true],
    [StepState.undone, true],
    [StepState.kept, true],
  ])('dates the end of a step in the state %s: %s', (state, isEnded) => {
    const { ledger } = createLedgerOf('create');

    ledger.step('create').set(state);

    const [step] = ledger.document().steps;
    expect(step?.startedAt).toEqual(expect.any(String));
    expect(step?.endedAt !== undefined).toBe(isEnded);
  });

  it('keeps the start time of a step', () => {
    const { ledger, published } = createLedgerOf('create');
    const step = ledger.step('create');

    step.set(StepState.sending);
    step.set(StepState.verified);

    const [first, last] = published.map((document) => document.steps[0]?.startedAt);
    expect(last).toBe(first);
  });

  it('publishes a separate document for each change', () => {
    const { ledger, published } = createLedgerOf('create');

    ledger.step('create').set(StepState.sending);
    ledger.step('create').set(StepState.accepted, { taskIds: ['t-1'] });
    ledger.setWaiting(WAITING);
    ledger.setWaiting(undefined);
    ledger.setPhase(Phase.rollingBack);

    expect(published.map(({ phase, steps }) => `${phase}/${steps[0]?.state ?? ''}`)).toEqual([
      'running/sending',
      'running/accepted',
      'waiting/accepted',
      'running/accepted',
      'rolling-back/accepted',
    ]);
    expect(published[0]?.steps[0]?.taskIds).toEqual([]);
    expect(published[2]?.waiting).toEqual(WAITING);
    expect(published[3]).not.toHaveProperty('waiting');
  });

  it.each([
    [StepState.planned, true],
    [StepState.failed, true],
    [StepState.sending, false],
    [StepState.outcomeUnknown, false],
    [StepState.verified, false],
  ])(
    'says whether a paused run accepts another input while its creating step is %s: %s',
    (state, is) => {
      const run = {
        operation: 'provisionInstance',
        steps: ['create'],
        creatingStep: 'create',
      } as const;
      const ledger = createLedger(run, () => undefined);
      ledger.step('create').set(state);

      ledger.setPaused(true);

      expect(ledger.document().acceptsInput).toBe(is);
      expect(ledger.whyTooLate() === undefined).toBe(is);
    },
  );

  it('accepts another input at any time for a run that makes nothing', () => {
    const { ledger } = createLedgerOf('read');
    ledger.step('read').set(StepState.waiting);

    ledger.setPaused(true);

    expect(ledger.document().acceptsInput).toBe(true);
  });

  it('says nothing about the input while the run is not held up', () => {
    const { ledger } = createLedgerOf('create');

    ledger.setPaused(true);
    ledger.setPaused(false);

    expect(ledger.document()).not.toHaveProperty('acceptsInput');
  });

  it('stays in the phase rolling-back while the rollback waits', () => {
    const { ledger } = createLedgerOf('create');

    ledger.setPhase(Phase.rollingBack);
    ledger.setWaiting(WAITING);

    expect(ledger.document()).toMatchObject({ phase: 'rolling-back', waiting: WAITING });
  });

  it('lists the resources of all steps that are not verified as gone', () => {
    const { ledger } = createLedgerOf('create', 'attach');

    ledger.step('create').set(StepState.verified, { resources: [INSTANCE] });
    ledger.step('attach').set(StepState.failed, { resources: [VOLUME] });
    const before = ledger.resources();
    ledger.step('attach').set(StepState.undone, { resources: [] });

    expect(before).toEqual([INSTANCE, VOLUME]);
    expect(ledger.resources()).toEqual([INSTANCE]);
  });

  it('knows the step that changed last', () => {
    const { ledger } = createLedgerOf('create', 'verify');

    ledger.step('create').set(StepState.verified);
    ledger.step('verify').set(StepState.waiting);

    expect(ledger.currentStep()).toBe('verify');
  });

  it('refuses a step that the operation does not have', () => {
    const { ledger } = createLedgerOf('create');

    const ask = () => ledger.step('craete');

    expect(ask).toThrow('the operation has no step "craete"');
  });
});

describe('the status document', () => {
  it('fits the schema in every state and phase', () => {
    const { ledger, published } = createLedgerOf('create', 'verify');
    const facts = { taskIds: ['t-1'], resources: [INSTANCE, VOLUME], note: 'words' };

    for (const state of Object.values(StepState)) ledger.step('create').set(state, facts);
    ledger.setWaiting({ ...WAITING, state: 'RUNNING', typicalSeconds: 30, nextCheckAt: 'then' });
    for (const phase of Object.values(Phase)) ledger.setPhase(phase);

    const parsed = published.map((document) => statusDocumentSchema.parse(document));
    expect(parsed).toEqual(published);
    expect(new Set(published.map(({ phase }) => phase))).toEqual(new Set(Object.values(Phase)));
  });

  it('accepts every failure type as the reason of a block', () => {
    const { ledger } = createLedgerOf('create');
    const blocked = { message: 'm', advice: 'a', since: 's' };

    const refused = Object.values(FailureType).filter(
      (type) =>
        !statusDocumentSchema.safeParse({ ...ledger.document(), blocked: { type, ...blocked } })
          .success,
    );

    expect(refused).toEqual([]);
  });

  it.each([
    ['another version', { version: 2 }],
    ['another operation', { operation: 'createServer' }],
    ['an unknown phase', { phase: 'done' }],
    ['steps that are no list', { steps: {} }],
  ])('refuses %s', (_title, change) => {
    const { ledger } = createLedgerOf('create');

    const parsed = statusDocumentSchema.safeParse({ ...ledger.document(), ...change });

    expect(parsed.success).toBe(false);
  });
});
