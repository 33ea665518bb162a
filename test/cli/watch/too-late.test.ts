import { describe, expect, it } from '@jest/globals';

import { tooLate } from '../../../src/cli/watch/too-late.js';

describe('what a run that could not be stopped in time is told to have done', () => {
  it('is its instance, and how to be rid of it', () => {
    const { problem } = tooLate('run-1', {
      ...{ instanceId: 'i-1', name: 'web-1', status: 'ACTIVE', addresses: [] },
      ...{ taskIds: [], adopted: false, ledger: [] },
    });

    expect(problem).toMatchObject({ exitCode: 1, workflowId: 'run-1', type: 'TooLate' });
    expect(problem.message).toContain('instance i-1 exists');
    expect(problem.advice).toContain('Delete the instance');
  });

  it('is nothing to be rid of where it has only read', () => {
    const { problem } = tooLate('run-1', { keys: [], count: 0 });

    expect(problem.message).toContain('it has read 0 keys');
    expect(problem.advice).toContain('Nothing to do');
  });

  it.each([
    [true, 'it has linked ingest to SFTP storage 7', 'Unlink the keys'],
    [false, 'it has found all keys linked', 'changed nothing'],
  ])('is the keys that it linked: %s', (linked, done, advice) => {
    const { problem } = tooLate('run-1', {
      ...{ storageId: 7, storageName: 'films', keys: [{ id: 2, name: 'ingest', linked }] },
      ...{ changed: linked, restored: [], before: [], after: [2], ledger: [] },
    });

    expect(problem.message).toContain(done);
    expect(problem.advice).toContain(advice);
  });
});
