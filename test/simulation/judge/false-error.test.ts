import { describe, expect, it } from '@jest/globals';

import { createStage, type Stage } from './support/stage.js';

const failed = (id: string) => ({
  type: 'TaskFailed',
  message: `The task has finished, but it has made volume ${id} in status error.`,
});

async function made(stage: Stage) {
  const run = stage.run('createVolume', { name: 'data-1' });
  const body = { name: 'data-1', source: 'new-volume', size: 10, type_name: 'standard' };
  await stage.done(run, 'POST /cloud/v1/volumes/1/1', body);
  return { run, id: stage.cloud().volumes.at(-1)?.id ?? '' };
}

function isNoticed(stage: Stage, rest: Parameters<Stage['judge']>[0] = {}): boolean {
  return stage.judge(rest).some(({ invariant }) => invariant === 'false error');
}

describe('false error', () => {
  it('notices a run that fails for a status that the thing never had', async () => {
    const stage = createStage();
    const { run, id } = await made(stage);
    run.end('failed', { failure: failed(id) });

    expect(isNoticed(stage)).toBe(true);
  });

  it('believes it of what had that status once', async () => {
    const stage = createStage();
    const { run, id } = await made(stage);
    run.end('failed', { failure: failed(id) });
    const after = stage.cloud();
    const volumes = after.volumes.map((row) => ({ ...row, status: 'error' as const }));

    expect(isNoticed(stage, { after: { ...after, volumes } })).toBe(false);
  });

  it('has nothing to say of a run that succeeded', async () => {
    const stage = createStage();
    const { run, id } = await made(stage);
    run.end('completed', { failure: failed(id) });

    expect(isNoticed(stage)).toBe(false);
  });
});
