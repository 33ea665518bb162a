import { randomUUID } from 'node:crypto';

import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SearchAttributePair,
} from '@temporalio/common';
import proto from '@temporalio/proto';

import { outcomeOf, script, type Stage } from './kit.js';

const { Timestamp } = proto.google.protobuf;

function create(
  { client, id, taskQueue }: Stage,
  paused: boolean,
  typedSearchAttributes: SearchAttributePair[] = [],
) {
  return client.schedule.create({
    scheduleId: id('schedule'),
    spec: { intervals: [{ every: '1 hour', offset: '7 minutes' }] },
    action: {
      ...{ type: 'startWorkflow', workflowType: 'echo', args: ['scheduled'] },
      ...{ taskQueue, workflowId: id('scheduled'), typedSearchAttributes },
    },
    policies: { overlap: 'ALLOW_ALL', catchupWindow: '1 minute' },
    state: { paused, note: 'made by a script' },
    memo: { for: 'the record' },
  });
}

export const schedules = [
  script('a schedule is made, described and deleted', async (stage) => {
    const handle = await create(stage, true);
    const again = await outcomeOf(create(stage, true));
    const { spec, action, policies, state, memo } = await handle.describe();
    await handle.delete();
    const gone = await outcomeOf(handle.describe());
    return { again, spec, action, policies, state: { ...state }, memo, gone };
  }),

  script('a schedule is paused and goes on', async (stage) => {
    const handle = await create(stage, false);
    await handle.pause('by hand');
    const { state: paused } = await handle.describe();
    await handle.unpause('again');
    const { state: going } = await handle.describe();
    await handle.delete();
    return [paused.paused, paused.note, going.paused, going.note];
  }),

  script('a schedule is triggered', async (stage) => {
    await stage.worker();
    const handle = await create(stage, true);
    await handle.trigger();
    let runs: readonly { workflowId: string; runId: string }[] = [];
    await stage.eventually('the run', async () => {
      const { info } = await handle.describe();
      runs = info.recentActions.map(({ action }) => ({
        workflowId: action.workflow.workflowId,
        runId: action.workflow.firstExecutionRunId,
      }));
      return runs.length > 0;
    });
    await handle.delete();
    const results: unknown[] = [];
    for (const { workflowId, runId } of runs) {
      results.push(await outcomeOf(stage.client.workflow.getHandle(workflowId, runId).result()));
    }
    return results;
  }),

  script('a trigger names the time of its run, to the nanosecond', async (stage) => {
    const handle = await create(stage, true);
    const { namespace, identity } = stage.client.options;
    const send = (seconds: number, nanos: number) =>
      stage.client.workflowService.patchSchedule({
        ...{ namespace, identity, scheduleId: handle.scheduleId, requestId: randomUUID() },
        patch: { triggerImmediately: { scheduledTime: Timestamp.fromObject({ seconds, nanos }) } },
      });
    const shown = async () => {
      const { raw } = await handle.describe();
      return (raw.info?.recentActions ?? []).map(({ scheduleTime, startWorkflowResult }) => ({
        seconds: scheduleTime?.seconds?.toNumber(),
        nanos: scheduleTime?.nanos,
        second: startWorkflowResult?.workflowId?.slice(-20),
      }));
    };
    const until = (count: number) =>
      stage.eventually('the runs', async () => (await shown()).length >= count);
    await send(1_900_000_000, 123_456_789);
    await until(1);
    // Its run goes on: nothing else starts by this second.
    await send(1_900_000_000, 987_654_321);
    await send(1_800_000_000, 1);
    await until(2);
    const runs = await shown();
    await handle.delete();
    return runs;
  }),

  script('a schedule of runs with an unknown attribute is refused', (stage) => {
    const unknown = defineSearchAttributeKey('NobodyHasMadeThis', SearchAttributeType.KEYWORD);
    return outcomeOf(create(stage, true, [{ key: unknown, value: 'any' }]));
  }),

  script('an unknown schedule is refused', ({ client, id }) =>
    outcomeOf(client.schedule.getHandle(id('nobody')).describe()),
  ),
];
