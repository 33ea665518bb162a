import { describe, expect, it } from '@jest/globals';

import type { Strike } from '../world/chaos.js';
import { createStage, namesOf } from './support/stage.js';

const VOLUME = { source: 'new-volume', name: 'data-1', size: 5 };
const CALLER: Strike = { kind: 'caller', occasion: 'start #1' };
const FROZEN: Strike = { kind: 'frozen process', occasion: 'moment #1' };
const LOST: Strike = { kind: 'lost completion', occasion: 'report #1' };
const KILLED: Strike = { kind: 'killed process', occasion: 'moment #1' };

/** A run that goes on so long after its task. */
async function wentOnAfter(minutes: number, strikes: readonly Strike[]): Promise<string[]> {
  const stage = createStage();
  const run = stage.run('createVolume', VOLUME);
  await stage.call(run, 'POST /cloud/v1/volumes/1/1', VOLUME);
  stage.pass(minutes * 60);
  run.end('failed', { failure: { type: 'TaskFailed', message: '', details: [{ advice: '' }] } });
  return namesOf(stage.judge({ strikes })).filter((name) => name === 'learned late');
}

describe('learned late', () => {
  it('notices a run that nobody has told of the end of its task', async () => {
    expect(await wentOnAfter(30, [FROZEN])).toEqual(['learned late']);
  });

  it('lets a process stand still for three minutes, and gives half a minute and a poll besides', async () => {
    expect(await wentOnAfter(3.5, [CALLER, FROZEN])).toEqual([]);
    expect(await wentOnAfter(4, [CALLER, FROZEN])).toEqual(['learned late']);
  });

  it('gives a message that is lost alone a minute', async () => {
    expect(await wentOnAfter(1.5, [LOST])).toEqual([]);
    expect(await wentOnAfter(2, [LOST])).toEqual(['learned late']);
  });

  it('gives a killed process a minute until the next one', async () => {
    expect(await wentOnAfter(1.5, [KILLED])).toEqual([]);
    expect(await wentOnAfter(2, [KILLED])).toEqual(['learned late']);
  });

  it('promises half a minute and a poll where nothing is wrong', async () => {
    expect(await wentOnAfter(0.5, [CALLER])).toEqual([]);
    expect(await wentOnAfter(1, [CALLER])).toEqual(['learned late']);
  });

  it('does not judge where the API did not answer either', async () => {
    expect(await wentOnAfter(30, [FROZEN, { ...FROZEN, kind: 'lost request' }])).toEqual([]);
  });

  it('blames no run for the task of the run that had its Workflow Id before', async () => {
    const stage = createStage();
    const first = stage.run('createVolume', VOLUME);
    await stage.call(first, 'POST /cloud/v1/volumes/1/1', VOLUME);
    first.end('completed');
    stage.pass(1_800);
    const second = stage.run('createVolume', VOLUME, { workflowId: first.workflowId });
    await stage.call(second, 'GET /cloud/v1/volumes/1/1');
    second.end('completed');

    const names = namesOf(stage.judge({ strikes: [CALLER] }));
    expect(names).not.toContain('learned late');
  });
});
