import { describe, expect, it } from '@jest/globals';

import { createStage, type Stage } from './support/stage.js';

const notFound = (path: string) => ({
  type: 'NotFound',
  message: `GET ${path} was answered with 404`,
  details: [{ path }],
});

async function renamed(stage: Stage, workflowId?: string) {
  const store = { name: 'routes', comment: '' };
  await stage.call({ actor: 'console' }, 'POST /fastedge/v1/kv', store);
  const storeId = stage.cloud().kvStores.at(-1)?.id ?? 0;
  const request = workflowId === undefined ? {} : { workflowId };
  const run = stage.run('replaceKvStore', { storeId, comment: 'new' }, request);
  const path = `/fastedge/v1/kv/${storeId}`;
  await stage.call(run, `PUT ${path}`, { ...store, comment: 'new' });
  return { run, path };
}

/** What else is wrong with these runs is the matter of other tests. */
function isNoticed(stage: Stage): boolean {
  return stage.judge().some(({ invariant }) => invariant === 'false absence');
}

describe('false absence', () => {
  it('notices a run that calls missing what it has changed and what is there', async () => {
    const stage = createStage();
    const { run, path } = await renamed(stage);
    run.end('failed', { failure: notFound(path) });
    expect(isNoticed(stage)).toBe(true);
  });

  it('believes it of what somebody has deleted', async () => {
    const stage = createStage();
    const { run, path } = await renamed(stage);
    await stage.call({ actor: 'console' }, `DELETE ${path}`);
    run.end('failed', { failure: notFound(path) });
    expect(isNoticed(stage)).toBe(false);
  });

  it('believes it of something else, beside which the failure names what is there', async () => {
    const stage = createStage();
    const { run, path } = await renamed(stage);
    const id = path.split('/').at(-1);
    const { message, details, ...other } = notFound('/fastedge/v1/kv/4711');
    run.end('failed', {
      failure: {
        ...other,
        message: `${message} Still there: kv-store ${id}.`,
        details: [{ ...details[0], resources: [{ kind: 'kv-store', id }] }],
      },
    });
    expect(isNoticed(stage)).toBe(false);
  });

  it('believes it of something else', async () => {
    const stage = createStage();
    const { run } = await renamed(stage);
    run.end('failed', { failure: notFound('/fastedge/v1/kv/4711') });
    expect(isNoticed(stage)).toBe(false);
  });

  it('counts no change by a later run of the request', async () => {
    const stage = createStage();
    const run = stage.run('replaceKvStore', { storeId: 1, comment: 'new' });
    run.end('failed', { failure: notFound('/fastedge/v1/kv/10001') });
    const later = await renamed(stage, run.workflowId);
    later.run.end('completed');
    expect(later.path).toBe('/fastedge/v1/kv/10001');
    expect(isNoticed(stage)).toBe(false);
  });
});
