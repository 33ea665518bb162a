import { WithStartWorkflowOperation } from '@temporalio/client';

import {
  createGate,
  easy,
  outcomeOf,
  QueryRejectCondition,
  script,
  untilEvent,
  untilIdle,
  type Handle,
  type Stage,
} from './kit.js';

/** A worker, and a run that collects what it is told. */
async function collecting(stage: Stage): Promise<Handle> {
  await stage.worker(easy);
  const run = await stage.start('collector');
  await untilIdle(stage, run.workflowId);
  return run;
}

const signals = [
  script('signals before the first task', async (stage) => {
    const run = await stage.start('collector');
    await run.signal('go', 1);
    await run.signal('go', 2);
    await run.signal('finish');
    await stage.worker();
    return outcomeOf(run.result());
  }),

  script('signals in their order', async (stage) => {
    const run = await collecting(stage);
    for (const value of [1, 2, 3, 4, 5]) {
      await run.signal('go', value);
      await untilIdle(stage, run.workflowId);
    }
    await run.signal('finish');
    return outcomeOf(run.result());
  }),

  script('signals during a task come after it', async (stage) => {
    const gate = createGate();
    const held = createGate();
    await stage.worker({
      perform: async () => {
        held.open();
        await gate.opened;
        return 'held';
      },
    });
    const run = await stage.start('holdsItsTask');
    await held.opened;
    await run.signal('go', 1);
    await run.signal('go', 2);
    const { events } = await run.fetchHistory();
    gate.open();
    return { eventsMeanwhile: events?.length, ended: await outcomeOf(run.result()) };
  }),

  script('signals before there is a handler', async (stage) => {
    await stage.worker();
    const run = await stage.start('lateHandlers');
    await untilIdle(stage, run.workflowId);
    for (const [name, value] of [
      ['other', 1],
      ['go', 2],
      ['another', 3],
    ] as const) {
      await run.signal(name, value);
      await untilIdle(stage, run.workflowId);
    }
    return outcomeOf(run.result());
  }),

  script('signal handlers that wait', async (stage) => {
    const run = await stage.start('slowHandlers');
    await run.signal('go', 800);
    await run.signal('go', 200);
    await stage.worker();
    return outcomeOf(run.result());
  }),

  script('a signal to a closed run is refused', async (stage) => {
    await stage.worker();
    const run = await stage.start('echo');
    await run.result();
    return outcomeOf(run.signal('go'));
  }),

  script('a signal to an unknown run is refused', ({ client, id }) =>
    outcomeOf(client.workflow.getHandle(id('nobody')).signal('go')),
  ),

  script('a signal to an earlier run of a chain is refused', async (stage) => {
    await stage.worker();
    const run = await stage.start('countsDown', { args: [1] });
    await run.result();
    const { client } = stage;
    return outcomeOf(
      client.workflow.getHandle(run.workflowId, run.firstExecutionRunId).signal('go'),
    );
  }),

  script('a start with a signal starts a run', async (stage) => {
    await stage.worker();
    return outcomeOf(signalWithStart(stage, 'new').then((run) => run.result()));
  }),

  script('a start with a signal finds the running run', async (stage) => {
    await stage.worker();
    const first = await stage.start('waitForGo');
    await untilIdle(stage, first.workflowId);
    const run = await signalWithStart(stage, 'running');
    const isSame = run.signaledRunId === first.firstExecutionRunId;
    return { isSame, ended: await outcomeOf(run.result()) };
  }),

  script('a start with a signal after a closed run starts another', async (stage) => {
    await stage.worker();
    const first = await stage.start('echo');
    await first.result();
    const run = await signalWithStart(stage, 'closed');
    const isSame = run.signaledRunId === first.firstExecutionRunId;
    return { isSame, ended: await outcomeOf(run.result()) };
  }),

  script('a start with a signal respects the reuse policy', async (stage) => {
    await stage.worker();
    await (await stage.start('echo')).result();
    return outcomeOf(signalWithStart(stage, 'closed', 'REJECT_DUPLICATE'));
  }),
];

function signalWithStart(
  { client, taskQueue, id }: Stage,
  value: string,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE' = 'ALLOW_DUPLICATE',
) {
  return client.workflow.signalWithStart('waitForGo', {
    ...{ taskQueue, workflowId: id('run'), workflowIdReusePolicy },
    ...{ signal: 'go', signalArgs: [value] },
  });
}

/** An update of the collector, and the end of the run after it. */
function updated(args: [string, unknown?]) {
  return async (stage: Stage): Promise<unknown> => {
    const run = await collecting(stage);
    const update = await outcomeOf(run.executeUpdate('add', { args, updateId: 'the-update' }));
    await untilIdle(stage, run.workflowId);
    await run.signal('finish');
    return { update, ended: await outcomeOf(run.result()) };
  };
}

/** Begins an update of the collector. */
function accepted(run: Handle, args: [string, unknown?]) {
  return run.startUpdate<unknown, [string, unknown?]>('add', {
    ...{ args, updateId: 'the-update', waitForStage: 'ACCEPTED' },
  });
}

const updates = [
  script('an update is accepted and completed', updated(['plain', 1])),
  script('an update is rejected by its validator', updated(['invalid'])),
  script('an update is rejected with an application failure', updated(['refused'])),
  script('an update fails', updated(['fail'])),
  script('an update performs an activity', updated(['act', 1])),
  script('an update performs a local activity', updated(['local', 1])),
  script('an update sleeps', updated(['sleep', 1])),

  script('an update that no handler knows is rejected', async (stage) => {
    const run = await collecting(stage);
    const update = await outcomeOf(run.executeUpdate('unknown', { updateId: 'the-update' }));
    await run.signal('finish');
    return { update, ended: await outcomeOf(run.result()) };
  }),

  script('a rejected update leaves no trace before the next one', async (stage) => {
    const run = await collecting(stage);
    const first = await outcomeOf(run.executeUpdate('add', { args: ['invalid'] }));
    const second = await outcomeOf(run.executeUpdate('add', { args: ['invalid'] }));
    const third = await outcomeOf(run.executeUpdate('add', { args: ['plain', 1], updateId: 'u' }));
    await run.signal('finish');
    return { first, second, third, ended: await outcomeOf(run.result()) };
  }),

  script('two updates with one id are one', async (stage) => {
    const run = await collecting(stage);
    const first = await run.executeUpdate('add', { args: ['plain', 1], updateId: 'one' });
    const second = await run.executeUpdate('add', { args: ['plain', 2], updateId: 'one' });
    await run.signal('finish');
    return { first, second, ended: await outcomeOf(run.result()) };
  }),

  script('an update waits for the first task', async (stage) => {
    const run = await stage.start('collector');
    const update = outcomeOf(run.executeUpdate('add', { args: ['plain', 1], updateId: 'early' }));
    await stage.pass(300);
    await stage.worker();
    const told = await update;
    await run.signal('finish');
    return { told, ended: await outcomeOf(run.result()) };
  }),

  script('a handle gets the result of an accepted update', async (stage) => {
    const run = await collecting(stage);
    const update = await accepted(run, ['sleep', 1]);
    const result = await outcomeOf(update.result());
    const again = await outcomeOf(run.getUpdateHandle('the-update').result());
    await run.signal('finish');
    const ended = await outcomeOf(run.result());
    const afterwards = await outcomeOf(run.getUpdateHandle('the-update').result());
    return { id: update.updateId, result, again, ended, afterwards };
  }),

  script('the result of an unknown update is refused', async (stage) => {
    const run = await collecting(stage);
    const result = await outcomeOf(run.getUpdateHandle('unknown').result());
    await run.signal('finish');
    return { result, ended: await outcomeOf(run.result()) };
  }),

  script('an update of a closed run is refused', async (stage) => {
    await stage.worker();
    const run = await stage.start('echo');
    await run.result();
    return outcomeOf(run.executeUpdate('add', { args: ['plain'] }));
  }),

  script('an update of an unknown run is refused', ({ client, id }) =>
    outcomeOf(client.workflow.getHandle(id('nobody')).executeUpdate('add', { args: ['plain'] })),
  ),

  script('an accepted update of a run that ends meanwhile fails', async (stage) => {
    const run = await collecting(stage);
    const update = await accepted(run, ['for ever']);
    await run.signal('finish');
    return { ended: await outcomeOf(run.result()), update: await outcomeOf(update.result()) };
  }),

  script('an update that its run ends with in one task', async (stage) => {
    await stage.worker();
    const run = await stage.start('endsAtUpdate');
    await untilIdle(stage, run.workflowId);
    const update = await outcomeOf(run.executeUpdate('add', { args: ['x'], updateId: 'last' }));
    return { update, ended: await outcomeOf(run.result()) };
  }),

  script('an update that is open when its run is terminated', async (stage) => {
    const run = await collecting(stage);
    const update = await accepted(run, ['for ever']);
    await run.terminate('enough');
    return outcomeOf(update.result());
  }),

  script('a run that waits for its handlers finishes them', async (stage) => {
    await stage.worker();
    const run = await stage.start('patientCollector');
    await untilIdle(stage, run.workflowId);
    const update = await accepted(run, ['sleep', 1]);
    await run.signal('finish');
    return { ended: await outcomeOf(run.result()), update: await outcomeOf(update.result()) };
  }),

  script('a start with an update starts a run', async (stage) => {
    await stage.worker();
    const update = await outcomeOf(updateWithStart(stage, 'USE_EXISTING'));
    const run = stage.client.workflow.getHandle(stage.id('run'));
    await run.signal('finish');
    return { update, ended: await outcomeOf(run.result()) };
  }),

  script('a start with an update finds the running run', async (stage) => {
    const run = await collecting(stage);
    const update = await outcomeOf(updateWithStart(stage, 'USE_EXISTING'));
    await run.signal('finish');
    return { update, ended: await outcomeOf(run.result()) };
  }),

  script('a start with an update refuses the running run', async (stage) => {
    const run = await collecting(stage);
    const update = await outcomeOf(updateWithStart(stage, 'FAIL'));
    await run.signal('finish');
    return { update, ended: await outcomeOf(run.result()) };
  }),

  script('a start with an update after a closed run starts another', async (stage) => {
    const first = await collecting(stage);
    await first.signal('finish');
    await first.result();
    const update = await outcomeOf(updateWithStart(stage, 'USE_EXISTING'));
    const run = stage.client.workflow.getHandle(stage.id('run'));
    await run.signal('finish');
    return { update, ended: await outcomeOf(run.result()) };
  }),
];

function updateWithStart(
  { client, taskQueue, id }: Stage,
  workflowIdConflictPolicy: 'USE_EXISTING' | 'FAIL',
) {
  const startWorkflowOperation = new WithStartWorkflowOperation('collector', {
    ...{ taskQueue, workflowId: id('run'), workflowIdConflictPolicy, args: [] },
  });
  const args: [string, unknown] = ['plain', 'with the start'];
  return client.workflow.executeUpdateWithStart('add', {
    ...{ args, updateId: 'with-start', startWorkflowOperation },
  });
}

const queries = [
  script('a query of an idle run', async (stage) => {
    const run = await collecting(stage);
    await run.signal('go', 1);
    const answer = await run.query('state', 'x');
    await run.signal('finish');
    return { answer, ended: await outcomeOf(run.result()) };
  }),

  script('a query of a closed run', async (stage) => {
    const run = await collecting(stage);
    await run.signal('finish');
    await run.result();
    return outcomeOf(run.query('state', 'x'));
  }),

  script('a query of a closed run after its worker has gone', async (stage) => {
    const first = await stage.worker();
    const run = await stage.start('collector');
    await untilIdle(stage, run.workflowId);
    await run.signal('finish');
    await run.result();
    await first.stop();
    await stage.worker();
    return outcomeOf(run.query('state', 'x'));
  }),

  script('a query of a run that was terminated before a task showed it a signal', async (stage) => {
    const first = await stage.worker();
    const run = await stage.start('collector');
    await untilIdle(stage, run.workflowId);
    await first.stop();
    await run.signal('go', 1);
    await run.terminate('enough');
    await stage.worker();
    const answer = await outcomeOf(run.query('state', 'x'));
    return { answer, again: await outcomeOf(run.query('state', 'y')) };
  }),

  script('a query before the first task', async (stage) => {
    const run = await stage.start('collector');
    const answer = outcomeOf(run.query('state', 'early'));
    await stage.pass(200);
    await stage.worker();
    const told = await answer;
    await run.signal('finish');
    return { told, ended: await outcomeOf(run.result()) };
  }),

  script('a query that no handler knows fails', async (stage) => {
    const run = await collecting(stage);
    const answer = await outcomeOf(run.query('unknown'));
    await run.signal('finish');
    return { answer, ended: await outcomeOf(run.result()) };
  }),

  script('a query whose handler throws fails', async (stage) => {
    const run = await collecting(stage);
    const answer = await outcomeOf(run.query('state', 'throw'));
    await run.signal('finish');
    return { answer, ended: await outcomeOf(run.result()) };
  }),

  script('a query that wants an open run refuses a closed one', async (stage) => {
    const run = await collecting(stage);
    const open = await queryIfOpen(stage, run.workflowId);
    await run.signal('finish');
    await run.result();
    return { open, closed: await queryIfOpen(stage, run.workflowId) };
  }),

  script('a query of an unknown run is refused', ({ client, id }) =>
    outcomeOf(client.workflow.getHandle(id('nobody')).query('state')),
  ),

  script('a query while an activity runs', async (stage) => {
    const gate = createGate();
    await stage.worker({ perform: () => gate.opened });
    const run = await stage.start('performs', { args: [{}] });
    await untilIdle(stage, run.workflowId);
    const answer = await outcomeOf(run.query('__temporal_workflow_metadata'));
    gate.open();
    return { answer, ended: await outcomeOf(run.result()) };
  }),

  script('a query for the stack trace', async (stage) => {
    const run = await collecting(stage);
    const answer = await outcomeOf(run.query('__stack_trace').then(() => 'a trace'));
    await run.signal('finish');
    return { answer, ended: await outcomeOf(run.result()) };
  }),

  script('a query of a run that no worker keeps in mind', async (stage) => {
    await stage.worker(easy, { maxCachedWorkflows: 0 });
    const run = await stage.start('collector');
    await untilIdle(stage, run.workflowId);
    await run.signal('go', 1);
    await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_COMPLETED', 2]);
    const answer = await outcomeOf(run.query('state', 'x'));
    await run.signal('go', 2);
    const next = await outcomeOf(run.query('state', 'y'));
    await run.signal('finish');
    return { answer, next, ended: await outcomeOf(run.result()) };
  }),

  script('the metadata query tells the handlers', async (stage) => {
    const run = await collecting(stage);
    const answer = await outcomeOf(run.query('__temporal_workflow_metadata'));
    await run.signal('finish');
    await run.result();
    return answer;
  }),
];

/** A query that rejects a closed run, by the raw service. */
async function queryIfOpen({ connection, namespace }: Stage, workflowId: string): Promise<unknown> {
  const { queryRejected } = await connection.workflowService.queryWorkflow({
    ...{ namespace, execution: { workflowId }, query: { queryType: 'state' } },
    queryRejectCondition: QueryRejectCondition.QUERY_REJECT_CONDITION_NOT_OPEN,
  });
  return queryRejected?.status ?? 'answered';
}

export const messages = [...signals, ...updates, ...queries];
