import { describe, expect, it } from '@jest/globals';

import { protectInput } from '../../support/inputs/protect-input.js';
import type { RunRecord } from '../world/records.js';
import { createStage, namesOf, type Stage } from './support/stage.js';

const volume = { source: 'new-volume', name: 'data-1', size: 5 };
const ABORTED = { type: 'Aborted', message: '', details: [{ advice: '' }] };

describe('not asked', () => {
  it('notices a run that was cancelled and that nobody has asked', () => {
    const stage = createStage();
    const run = stage.run('createVolume', volume);
    const other = stage.run('createVolume', volume);
    stage.ask('cancel', other.workflowId);
    other.end('cancelled');
    expect(stage.judge()).toEqual([]);
    run.end('cancelled');
    expect(stage.judge().map(({ workflowId }) => workflowId)).toEqual([run.workflowId]);
  });

  it('notices an abort that came to another run', () => {
    const stage = createStage();
    const run = stage.run('createVolume', volume);
    stage.ask('abort', 'create-volume/default/other');
    run.end('failed', { failure: ABORTED });
    expect(namesOf(stage.judge())).toEqual(['not asked']);
  });

  it('lets a batch cancel the items that it has started, and no others', () => {
    const batch = batchOf(createStage(), {});
    expect(batch.judge()).toEqual([]);
    const joined = batchOf(createStage(), { byRun: undefined });
    expect(namesOf(joined.judge())).toEqual(['not asked']);
  });

  it('lets a run take its part along, also where the next run of the request has begun meanwhile', () => {
    for (const end of ['terminated', 'completed'] as const) {
      const stage = createStage();
      const workflowId = 'replace-instance/default/r';
      const whole = stage.run('replaceInstance', {}, { workflowId });
      const part = stage.run('provisionInstance', {}, { workflowId: `${workflowId}/instance` });
      if (end === 'terminated') stage.ask('terminate', workflowId);
      whole.end(end);
      stage.run('replaceInstance', {}, { workflowId }).end('completed');
      part.end('cancelled');
      expect(namesOf(stage.judge()).filter((name) => name === 'not asked')).toEqual(
        end === 'terminated' ? [] : ['not asked'],
      );
    }
  });

  it.each(['abort', 'cancel', 'terminate', 'delete'] as const)(
    'lets a run undo its work when somebody has asked its part alone: %s',
    (what) => {
      const stage = createStage();
      const workflowId = 'replace-instance/default/r';
      const whole = stage.run('replaceInstance', {}, { workflowId });
      stage.ask(what, `${workflowId}er/move`);
      whole.end('failed', { failure: ABORTED });
      expect(namesOf(stage.judge())).toEqual(['not asked']);
      stage.ask(what, `${workflowId}/move`);
      expect(stage.judge()).toEqual([]);
    },
  );

  it('notices what a run says that it was asked for', () => {
    const stage = createStage();
    const asked = [{ for: 'resume', by: 'somebody', at: '2026-05-01T00:00:00Z' }];
    const run = stage.run('protectIp', protectInput());
    run.end('running', { status: { phase: 'waiting', steps: [], asked }, closedAt: undefined });
    expect(namesOf(stage.judge())).toEqual(['not asked']);
    stage.ask('resume', run.workflowId);
    run.end('running', { closedAt: undefined });
    expect(stage.judge()).toEqual([]);
  });

  it('lets a command about a group ask the runs with its label', () => {
    for (const [group, expected] of [
      ['night', []],
      ['day', ['not asked']],
    ] as const) {
      const stage = createStage();
      const run = stage.run('createVolume', { ...volume, labels: { group: 'night' } });
      stage.ask('cancel', `--group ${group}`);
      run.end('cancelled');
      expect(namesOf(stage.judge())).toEqual(expected);
    }
  });
});

/** A batch with `onAbort: cancel` that is aborted, and one run that it waits for. */
function batchOf(stage: Stage, rest: { byRun?: string | undefined }): Stage {
  const items = [{ ...volume, requestId: 'item-1' }];
  const input = { operation: 'createVolume', items, onAbort: 'cancel' };
  const batch = stage.run('runBatch', input, { workflowId: 'run-batch/default/b' });
  // Another run says who has started it, so nothing is guessed.
  stage
    .run('createVolume', volume, { byRun: batch.workflowId })
    .end('completed', { result: undefined, operation: 'unknown' });
  const workflowId = 'create-volume/default/item-1';
  const item = stage.run('createVolume', volume, { workflowId, byRun: batch.workflowId, ...rest });
  stage.ask('abort', batch.workflowId);
  item.end('cancelled');
  batch.end('failed', { failure: ABORTED });
  return stage;
}

describe('escaped the group', () => {
  it('notices an item that a batch begins after the command has said that the group is done', () => {
    expect(namesOf(itemBegun('after').judge())).toEqual(['escaped the group']);
    expect(itemBegun('before').judge()).toEqual([]);
  });

  it('leaves alone what begins because somebody has reset the batch', () => {
    const reset = (stage: Stage, batch: string) => {
      stage.ask('reset', batch);
    };
    expect(itemBegun('after', reset).judge()).toEqual([]);
  });

  it('notices an item that goes on and that nobody has asked', () => {
    for (const [asked, expected] of [
      [[{ for: 'cancel', by: 'somebody', at: '2026-05-01T00:00:00Z' }], []],
      [[], ['escaped the group']],
    ] as const) {
      const status = { phase: 'cancelled', steps: [], asked };
      const longAfter = (stage: Stage) => {
        stage.pass(60);
      };
      expect(namesOf(itemBegun('before', longAfter, { status }).judge())).toEqual(expected);
    }
  });
});

/** An item of a batch, begun before or after somebody has cancelled the group of the batch. */
function itemBegun(
  when: 'before' | 'after',
  then?: (stage: Stage, batch: string) => void,
  rest: Partial<RunRecord> = {},
): Stage {
  const stage = createStage();
  const labels = { group: 'night' };
  const batch = stage.run('runBatch', { operation: 'createVolume', items: [volume], labels });
  const begin = () => stage.run('createVolume', volume, { byRun: batch.workflowId });
  const early = when === 'before' ? begin() : undefined;
  stage.ask('cancel', '--group night');
  stage.pass(1);
  then?.(stage, batch.workflowId);
  (early ?? begin()).end('cancelled', rest);
  batch.end('cancelled');
  return stage;
}
