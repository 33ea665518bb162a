import { easy, outcomeOf, script, untilEvent, untilIdle, type Handle, type Stage } from './kit.js';

const endings = [
  script('a child completes', async (stage) => {
    await stage.worker();
    const options = { workflowId: stage.id('child'), args: [1, 2], memo: { from: 'its parent' } };
    return stage.outcome('parent', { args: ['echo', options] });
  }),

  script('a child fails', async (stage) => {
    await stage.worker();
    const options = { workflowId: stage.id('child'), args: ['Purpose'] };
    return stage.outcome('parent', { args: ['fail', options] });
  }),

  script('a child is retried by its policy', async (stage) => {
    await stage.worker();
    const retry = { maximumAttempts: 2, initialInterval: '100ms' };
    const options = { workflowId: stage.id('child'), args: [], retry };
    return stage.outcome('parent', { args: ['failOnce', options] });
  }),

  script('a child continues as new', async (stage) => {
    await stage.worker();
    const options = { workflowId: stage.id('child'), args: [2] };
    return stage.outcome('parent', { args: ['countsDown', options] });
  }),

  script('a child takes too long', async (stage) => {
    await stage.worker();
    const workflowExecutionTimeout = '1500ms';
    const options = { workflowId: stage.id('child'), args: [60_000], workflowExecutionTimeout };
    return stage.outcome('parent', {
      args: ['sleepFor', { ...options, taskQueue: stage.id('nobody') }],
    });
  }),

  script('a child is terminated', async (stage) => {
    await stage.worker();
    const options = { workflowId: stage.id('child'), args: [60_000] };
    const run = await stage.start('parent', { args: ['sleepFor', options] });
    await childIsIdle(stage, run);
    await stage.client.workflow.getHandle(stage.id('child')).terminate('enough');
    return outcomeOf(run.result());
  }),

  script('a child is cancelled by somebody else', async (stage) => {
    await stage.worker();
    const options = { workflowId: stage.id('child'), args: [60_000] };
    const run = await stage.start('parent', { args: ['sleepFor', options] });
    await childIsIdle(stage, run);
    await stage.client.workflow.getHandle(stage.id('child')).cancel();
    return outcomeOf(run.result());
  }),

  script('a child knows its parent', async (stage) => {
    await stage.worker();
    const options = { workflowId: stage.id('child'), args: [], staticSummary: 'a child' };
    return stage.outcome('parent', { args: ['aboutItself', options] });
  }),

  script('a child whose id is taken does not start', async (stage) => {
    await stage.worker();
    const other = await stage.start('waitForGo', { workflowId: stage.id('child') });
    const options = { workflowId: stage.id('child'), args: [] };
    const result = await stage.outcome('parent', { args: ['echo', options] });
    await other.signal('go');
    await other.result();
    return result;
  }),

  script('a child whose id was taken starts if its policy allows', async (stage) => {
    await stage.worker();
    await stage.outcome('echo', { workflowId: stage.id('child') });
    const first = { workflowId: stage.id('child'), args: ['again'] };
    const again = await stage.outcome('parent', { args: ['echo', first] });
    const second = { ...first, workflowIdReusePolicy: 'REJECT_DUPLICATE' };
    const ids = { workflowId: stage.id('second') };
    return { again, refused: await stage.outcome('parent', { args: ['echo', second], ...ids }) };
  }),

  script('what a run asks for in the task that ends it', async (stage) => {
    await stage.worker(easy);
    const other = await stage.start('waitForGo', { workflowId: stage.id('other') });
    await untilIdle(stage, other.workflowId);
    const args = [stage.id('child'), stage.id('other')];
    const ended = await stage.outcome('endsAfterItsCommands', { args });
    await stage.pass(1_500);
    const child = await outcomeOf(stage.client.workflow.getHandle(stage.id('child')).describe());
    const isThere = JSON.stringify(child).includes('returned');
    await other.terminate('left over');
    return { ended, isThere };
  }),

  script('a parent signals its child', async (stage) => {
    await stage.worker();
    const run = await stage.start('parentThatSignals', { args: [stage.id('child')] });
    await childIsIdle(stage, run);
    await run.signal('go');
    return outcomeOf(run.result());
  }),

  script('a child that is cancelled in the task that starts it', async (stage) => {
    await stage.worker();
    return stage.outcome('cancelsChildAtOnce', { args: [stage.id('child')] });
  }),
];

/** Waits until the child has had its first task, and its parent knows. */
async function childIsIdle(stage: Stage, { workflowId }: Handle): Promise<void> {
  await untilEvent(stage, workflowId, ['CHILD_WORKFLOW_EXECUTION_STARTED']);
  await untilIdle(stage, stage.id('child'));
  await untilIdle(stage, workflowId);
}

type End = readonly [string, (run: Handle) => Promise<unknown>];

/** How a parent closes while its child runs. */
const PARENT_ENDS: readonly End[] = [
  ['completes', (run) => run.signal('go')],
  ['is terminated', (run) => run.terminate('enough')],
  ['is cancelled', (run) => run.cancel()],
];

const closes = ['TERMINATE', 'REQUEST_CANCEL', 'ABANDON'].flatMap((parentClosePolicy) =>
  PARENT_ENDS.map(([how, end]) =>
    script(`${parentClosePolicy} of a child whose parent ${how}`, async (stage) => {
      await stage.worker(easy);
      const options = { workflowId: stage.id('child'), args: [60_000], parentClosePolicy };
      const run = await stage.start('parentThatWaits', { args: ['sleepFor', options] });
      await childIsIdle(stage, run);
      await end(run);
      const ended = await outcomeOf(run.result());
      const child = stage.client.workflow.getHandle(stage.id('child'));
      // The child of a parent that is terminated ends a while after it.
      const isLeft = parentClosePolicy === 'ABANDON';
      if (isLeft) await stage.pass(500);
      const { status } = await child.describe();
      if (isLeft) await child.terminate('left over');
      return { ended, status: isLeft ? status.name : '', child: await outcomeOf(child.result()) };
    }),
  ),
);

const cancellations = [
  'ABANDON',
  'TRY_CANCEL',
  'WAIT_CANCELLATION_COMPLETED',
  'WAIT_CANCELLATION_REQUESTED',
].map((type) =>
  script(`${type} of a child that runs`, async (stage) => {
    await stage.worker(easy);
    const args = ['slowToCancel', type, stage.id('child')];
    const run = await stage.start('parentThatCancels', { args });
    await childIsIdle(stage, run);
    await run.signal('go');
    const ended = await outcomeOf(run.result());
    const child = stage.client.workflow.getHandle(stage.id('child'));
    if (type === 'ABANDON') await child.terminate('left over');
    return { ended, child: await outcomeOf(child.result()) };
  }),
);

const continues = ['TERMINATE', 'REQUEST_CANCEL', 'ABANDON'].map((parentClosePolicy) =>
  script(`${parentClosePolicy} of a child whose parent continues as new`, async (stage) => {
    await stage.worker();
    const args = [false, stage.id('child'), parentClosePolicy];
    const run = await stage.start('parentThatContinues', { args });
    await childIsIdle(stage, run);
    await run.signal('go');
    const ended = await outcomeOf(run.result());
    const child = stage.client.workflow.getHandle(stage.id('child'));
    if (parentClosePolicy === 'ABANDON') {
      await untilIdle(stage, stage.id('child'));
      await child.signal('go', 'still there');
    }
    return { ended, child: await outcomeOf(child.result()) };
  }),
);

/** What a run says that writes to another one that is as described. */
const others = (['signalsOther', 'cancelsOther'] as const).flatMap((workflow) => [
  script(`${workflow}: a run that is running`, async (stage) => {
    await stage.worker(easy);
    const other = await stage.start('waitForGo', { workflowId: stage.id('other') });
    await untilIdle(stage, stage.id('other'));
    const told = await stage.outcome(workflow, { args: [stage.id('other')] });
    return { told, other: await outcomeOf(other.result()) };
  }),

  script(`${workflow}: a run that nobody knows`, async (stage) => {
    await stage.worker(easy);
    return stage.outcome(workflow, { args: [stage.id('nobody')] });
  }),

  script(`${workflow}: a run that has closed`, async (stage) => {
    await stage.worker(easy);
    await stage.outcome('echo', { workflowId: stage.id('other') });
    return stage.outcome(workflow, { args: [stage.id('other')] });
  }),
]);

export const children = [...endings, ...closes, ...cancellations, ...continues, ...others];
