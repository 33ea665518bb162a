import { describe, expect, it } from '@jest/globals';

import { protectInput } from '../../support/inputs/protect-input.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
import { createStage, namesOf, type Stage } from './support/stage.js';

const HOUR = 3_600;
const power = { instanceId: instanceIdOf(1), action: 'start' };
const volume = { source: 'new-volume', name: 'data-1', size: 5 };

/** A run that is still open hours after the last fault, and says this. */
function openWith(status: object, stage: Stage = createStage(stateWithInstances([{ of: 1 }]))) {
  const run = stage.run('setInstancePower', power);
  stage.pass(4 * HOUR);
  run.end('failed', { failure: { type: 'Aborted', message: '', details: [{}] } });
  stage.ask('abort', run.workflowId);
  const { runs, lastStrikeAt, asks, ...rest } = stage.evidence();
  const ended = runs.map((each) => ({ ...each, closedAt: Infinity }));
  const openAtCalm = [{ runId: runs[0]?.runId ?? '', status }];
  return stage.judge({ ...rest, asks, runs: ended, lastStrikeAt, openAtCalm });
}

describe('did not end', () => {
  it('notices a run that waits for nothing, and not one that holds or is paused', () => {
    const waiting = { for: 'DDoS profile in effect' };
    expect(namesOf(openWith({ phase: 'waiting', waiting }))).toEqual(['did not end']);
    const until = new Date('2026-05-02T00:00:00Z').toISOString();
    const hold = {
      phase: 'waiting',
      waiting: { ...waiting, holds: 'protected', nextCheckAt: until },
    };
    expect(openWith(hold)).toEqual([]);
    expect(openWith({ phase: 'paused' })).toEqual([]);
  });

  it('notices a run that is open at the end of everything', () => {
    const stage = createStage();
    stage.run('createVolume', volume);
    stage.pass(HOUR);
    expect(stage.judge()).toEqual([]);
    stage.pass(2 * HOUR);
    expect(namesOf(stage.judge())).toEqual(['did not end']);
  });

  it('notices a reason that is not true', () => {
    const busy = {
      phase: 'blocked',
      blocked: { type: 'ResourceBusy', message: 'another task holds it' },
    };
    expect(namesOf(openWith(busy))).toEqual(['untrue reason']);
    const stage = createStage(stateWithInstances([{ of: 1, taskId: 'of-somebody' }]));
    expect(openWith(busy, stage)).toEqual([]);
    const odd = { phase: 'blocked', blocked: { type: 'UnexpectedResponse', message: '' } };
    expect(namesOf(openWith(odd))).toEqual(['untrue reason']);
  });
});

describe('untrue status', () => {
  const step = { name: 'restart', state: 'verified', taskIds: [], resources: [] };

  it('notices another phase, an open step and counts that do not add up', () => {
    const stage = createStage();
    const run = stage.run('createVolume', volume);
    const failure = { type: 'InvalidRequest', message: '', details: [{}] };
    run.end('failed', { failure, status: { phase: 'failed', steps: [step] } });
    expect(stage.judge()).toEqual([]);
    for (const status of [
      { phase: 'succeeded', steps: [] },
      { phase: 'failed', steps: [{ ...step, state: 'waiting' }] },
      { phase: 'failed', steps: [], waiting: { for: 'x' } },
      { phase: 'failed', steps: [], items: { asked: 3, succeeded: 1 } },
    ]) {
      run.end('failed', { status });
      expect(namesOf(stage.judge())).toEqual(['untrue status']);
    }
  });
});

describe('over budget', () => {
  it('notices a run that asks again and again', () => {
    const { calls, ...rest } = createStage().evidence();
    const stage = createStage();
    const run = stage.run('createVolume', volume);
    const call = {
      at: rest.endedAt,
      method: 'GET',
      path: '/cloud/v1/volumes/1/1',
      body: undefined,
      status: 200,
      answer: {},
      workflowId: run.workflowId,
      actor: undefined,
    };
    const many = (count: number) => [
      ...calls,
      ...Array.from({ length: count }, () => ({ ...call })),
    ];
    expect(stage.judge({ calls: many(100) })).toEqual([]);
    expect(namesOf(stage.judge({ calls: many(3_000) }))).toEqual(['over budget']);
  });
});

describe('texts and runs', () => {
  it('notices a secret, a history that does not replay and a request without a run', () => {
    const stage = createStage();
    const input = protectInput();
    const request = {
      operation: 'protectIp',
      workflowId: 'protect-ip/default/x',
      input,
      byRun: undefined,
    } as const;
    const texts = ['a line', 'a line with s3cr3t-value in it'];
    expect(namesOf(stage.judge({ secrets: ['s3cr3t-value'], texts }))).toEqual(['secret told']);
    expect(stage.judge({ secrets: ['s3cr3t-value'], texts: texts.slice(0, 1) })).toEqual([]);
    expect(namesOf(stage.judge({ nondeterminism: ['a command differs'] }))).toEqual([
      'does not replay',
    ]);
    expect(namesOf(stage.judge({ requests: [request] }))).toEqual(['lost run']);
    stage.ask('delete', request.workflowId);
    expect(stage.judge({ requests: [request] })).toEqual([]);
  });

  it('judges odd evidence without throwing', () => {
    const stage = createStage();
    const run = stage.run('createVolume', volume);
    const odd = [
      null,
      7,
      'text',
      [],
      { steps: [null, { resources: 7 }] },
      { steps: 'x', asked: [3] },
    ];
    for (const status of odd) {
      run.end('failed', { status, failure: status, input: status, result: status });
      expect(namesOf(stage.judge())).not.toContain('cannot judge');
      run.end('completed', {});
      expect(namesOf(stage.judge())).not.toContain('cannot judge');
    }
  });

  it('takes few milliseconds', async () => {
    const stage = createStage(stateWithInstances([1, 2, 3].map((of) => ({ of }))));
    for (let each = 0; each < 8; each += 1) {
      const body = { ...volume, name: `data-${each}` };
      const run = stage.run('createVolume', body);
      for (let looks = 0; looks < 10; looks += 1)
        await stage.call(run, 'GET /cloud/v1/volumes/1/1');
      await stage.done(run, 'POST /cloud/v1/volumes/1/1', body);
      run.end('failed', {
        status: { phase: 'failed', steps: [] },
        failure: { type: 'X', details: [] },
      });
    }
    const evidence = stage.evidence();
    stage.judge(evidence);
    const from = performance.now();
    for (let each = 0; each < 20; each += 1) stage.judge(evidence);
    expect((performance.now() - from) / 20).toBeLessThan(50);
  });
});
