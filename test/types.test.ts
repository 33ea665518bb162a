import { describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import type { ActivityOptions } from '@temporalio/workflow';

import type { GcoreWorkflows } from '../src/client/index.js';
import type {
  Operation,
  Operations,
  Plan,
  Planned,
  ProvisionInstanceInput,
} from '../src/contract/index.js';
import type { Api, PlanReads } from '../src/workflows/gcore.js';
import type { ResumableImport } from '../src/workflows/import-videos/steps/import-state.js';
import type * as workflowsOfWorker from '../src/workflows/index.js';

type ProvisionInstance = typeof workflowsOfWorker.provisionInstance;

/** Workflows as a client sees them, by the contract alone. */
type ContractFunctions = {
  [O in keyof Operations]: (
    input: Operations[O]['input'],
  ) => Promise<Operations[O]['result'] | Planned>;
};

type IsAny<T> = 0 extends 1 & T ? true : false;
type Fits<A, B> = [A] extends [B] ? true : false;

/** Never called: what stands in here has to compile, or has to not compile. */
function onlyCompiled(): {
  client: Client;
  workflows: GcoreWorkflows;
  input: ProvisionInstanceInput;
} {
  throw new Error('is there for the compiler');
}

describe('the types', () => {
  it('check durations, so a wrong one does not reach the server', () => {
    const good: ActivityOptions = { startToCloseTimeout: '10 seconds' };
    // @ts-expect-error Fails to be an error when the `paths` of tsconfig.json no longer find ms.
    const bad: ActivityOptions = { startToCloseTimeout: '10 bananas' };

    expect([good, bad].map((options) => options.startToCloseTimeout)).toEqual([
      '10 seconds',
      '10 bananas',
    ]);
  });

  it('hold workflow and contract of each operation together', () => {
    // Does not compile while src/workflows/index.ts lacks an operation.
    type Workflows = Pick<typeof workflowsOfWorker, Operation>;
    const fit: Fits<Workflows, ContractFunctions> = true;
    const fitBack: Fits<ContractFunctions, Workflows> = true;
    const isAny: { [O in Operation]: IsAny<Workflows[O]> }[Operation] = false;

    expect([fit, fitBack, isAny]).toEqual([true, true, false]);
  });

  it('let an import continue from the state that it hands over', () => {
    const fits: Fits<typeof workflowsOfWorker.importVideos, ResumableImport> = true;
    const fitsBack: Fits<ResumableImport, typeof workflowsOfWorker.importVideos> = true;

    expect([fits, fitsBack]).toEqual([true, true]);
  });

  it('refuse a wrong field where a run is started', () => {
    const start = () => {
      const { workflows, input } = onlyCompiled();
      void workflows.start('provisionInstance', { requestId: 'order-1', input });
      // @ts-expect-error A request has an id of its own.
      void workflows.start('provisionInstance', { input });
      // @ts-expect-error There is no such operation.
      void workflows.start('provisionServer', { requestId: 'order-1', input });
      void workflows.start('provisionInstance', {
        requestId: 'order-1',
        // @ts-expect-error The field is called projectId.
        input: { ...input, project_id: 1 },
      });
      const profile = { ip_address: '203.0.113.7', profile_template: 12 };
      void workflows.start('protectIp', { input: { profile } });
      void workflows.start('protectIp', { requestId: 'alert-1', input: { profile } });
      void workflows.start('listSshKeys', { requestId: 'audit-1', input: { name: 'ingest' } });
      // @ts-expect-error Each operation has an input of its own.
      void workflows.start('listSshKeys', { requestId: 'audit-1', input: { projectId: 1 } });
    };

    expect(start).toThrow('is there for the compiler');
  });

  it('refuse a wrong field where a Temporal client starts the workflow itself', () => {
    const start = () => {
      const { client, input } = onlyCompiled();
      const options = { workflowId: 'w-1', taskQueue: 'gcore-workflows' };
      void client.workflow.start<ProvisionInstance>('provisionInstance', {
        ...options,
        args: [input],
      });
      void client.workflow.start<ProvisionInstance>('provisionInstance', {
        ...options,
        // @ts-expect-error The field is called projectId.
        args: [{ ...input, project_id: 1 }],
      });
      // @ts-expect-error The input is missing.
      void client.workflow.start<ProvisionInstance>('provisionInstance', options);
    };

    expect(start).toThrow('is there for the compiler');
  });

  it('give a plan the type of a plan, whatever the operation', () => {
    const plan = async (): Promise<Plan> => {
      const { workflows, input } = onlyCompiled();
      // @ts-expect-error Each operation has an input of its own.
      void workflows.plan('listSshKeys', { input: { projectId: 1 } });
      return workflows.plan('provisionInstance', { input });
    };

    expect(plan).toBeInstanceOf(Function);
  });

  it('give a planner all reads, and no call that changes anything', () => {
    const plan = (reads: PlanReads): unknown => [
      reads.getInstance,
      reads.listCreateTasks,
      // @ts-expect-error A create happens twice when it is repeated.
      reads.createInstance,
      // @ts-expect-error A delete is harmless to repeat, and changes something.
      reads.deleteInstance,
      // @ts-expect-error A change of a KV store stays a change.
      reads.sendKvChunk,
    ];
    const fits: Fits<PlanReads, Api['reads']> = true;
    const fitsBack: Fits<Api['reads'], PlanReads> = true;
    const isAny: IsAny<PlanReads> = false;

    expect(plan).toBeInstanceOf(Function);
    expect([fits, fitsBack, isAny]).toEqual([true, true, false]);
  });

  it('repeat a call without end only where its activity says that this is safe', () => {
    type Once = keyof Api['mutations'] | keyof Api['convergent'] | keyof Api['deletes'];
    type Repeated = keyof Api['reads'] | keyof Api['polls'] | keyof Api['longReads'];
    const inBoth: Fits<Once & Repeated, never> = true;
    const isNever: Fits<Once, never> = false;

    expect([inBoth, isNever]).toEqual([true, false]);
  });

  it('let no change go out without the time that its attempt gives it', () => {
    const input = { projectId: 1, regionId: 1, volumeId: 'v-1' };
    const keys = { storageId: 7, sshKeyIds: [1], seen: [] };
    const send = ({ deletes, mutations }: Pick<Api, 'deletes' | 'mutations'>): unknown => [
      deletes.deleteVolume({ scheduleToStartTimeout: 1 }, input),
      // @ts-expect-error Who sends has to come through `attemptOnce`, which has the time.
      deletes.deleteVolume(input),
      // @ts-expect-error A summary alone is no time.
      deletes.deleteVolume({ summary: 'volume v-1' }, input),
      // @ts-expect-error The same holds for a change that is no delete.
      mutations.setSftpStorageKeys(keys),
    ];
    type Change = Api['mutations']['setSftpStorageKeys'];
    // What the SDK offers beside the call would be a way around the time.
    const hasOptions: Fits<'executeWithOptions', keyof Change> = false;

    expect(send).toBeInstanceOf(Function);
    expect(hasOptions).toBe(false);
  });

  it('give the result of an operation its own type', () => {
    const read = async () => {
      const { workflows } = onlyCompiled();
      const result = await workflows.result('provisionInstance', 'w-1');
      const id: string = result.instanceId;
      // @ts-expect-error There is no such field.
      const wrong: unknown = result.instanceID;
      const { keys } = await workflows.result('listSshKeys', 'w-2');
      const publicKey: string | undefined = keys[0]?.publicKey;
      return [id, wrong, publicKey];
    };

    expect(read).toBeInstanceOf(Function);
  });
});
