import { describe, expect, it } from '@jest/globals';

import { tooLate } from '../../../src/cli/watch/follow-until-stopped.js';

describe('a request to stop that came too late', () => {
  it('names the instance that exists, and how to undo it', () => {
    const { problem } = tooLate('run-1', {
      isPlan: false,
      operation: 'provisionInstance',
      result: {
        instanceId: 'i-1',
        name: 'web-1',
        status: 'ACTIVE',
        addresses: [],
        taskIds: [],
        adopted: false,
        ledger: [],
      },
    });

    expect(problem).toMatchObject({ exitCode: 1, workflowId: 'run-1', type: 'TooLate' });
    expect(problem.message).toContain('instance i-1 exists');
    expect(problem.advice).toContain('Delete the instance');
  });

  it('asks for nothing after a run that only reads', () => {
    const { problem } = tooLate('run-1', {
      isPlan: false,
      operation: 'listSshKeys',
      result: { keys: [], count: 0, total: 0 },
    });

    expect(problem.message).toContain('it has read 0 keys');
    expect(problem.advice).toContain('Nothing to do');
  });

  it.each([
    [true, 'it has linked ingest to SFTP storage 7', 'Unlink the keys'],
    [false, 'all keys were linked before', 'changed nothing'],
  ])('names the keys that the run linked: %s', (linked, done, advice) => {
    const { problem } = tooLate('run-1', {
      isPlan: false,
      operation: 'grantSftpAccess',
      result: {
        storageId: 7,
        storageName: 'films',
        keys: [{ id: 2, name: 'ingest', linked }],
        changed: linked,
        restored: [],
        before: [],
        after: [2],
        ledger: [],
      },
    });

    expect(problem.message).toContain(done);
    expect(problem.advice).toContain(advice);
  });

  it('asks for nothing after a plan', () => {
    const plan = { operation: 'protectIp', ready: true } as const;
    const empty = { findings: [], adopts: [], irreversible: [], calls: [] };

    const { problem } = tooLate('plan/run-1', {
      isPlan: true,
      result: { plan: { ...plan, ...empty } },
    });

    expect(problem.message).toContain('it has made a plan');
    expect(problem.advice).toContain('changed nothing');
  });
});
