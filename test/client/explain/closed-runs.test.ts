import { describe, expect, it } from '@jest/globals';

import type { RunFacts } from '../../../src/client/explain/run-facts.js';
import { toExplanation } from '../../../src/client/explain/explain-run.js';
import { FailureType } from '../../../src/engine/core/failures.js';
import { toMarker } from '../../../src/contract/marker.js';
import { NEW_INSTANCE, partIdFor, type Operation } from '../../../src/contract/wire/names.js';
import { closedFacts, failedFacts, ID, INSTANCE, TASK } from './run-facts.js';

const command = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;
const explain = (facts: RunFacts) => toExplanation(facts, command);
const AGAIN = 'gcore-workflows provision --file FILE --request-id order-4711';
const instance = { kind: 'instance', id: INSTANCE } as const;

describe('the explanation of a run that has ended', () => {
  it('names the duration and the verified resources of a success', () => {
    const ending = { kind: 'succeeded', resources: [instance] } as const;

    const { paragraph, next } = explain(
      closedFacts('COMPLETED', { ending: { ...ending, resources: [instance] } }),
    );

    expect(paragraph).toBe(
      `The run "${ID}" (provisionInstance) was started at 2026-05-04T03:02:00Z and succeeded after 40 s, at 2026-05-04T03:02:40Z (2 s ago). ` +
        `These resources exist and are verified: instance ${INSTANCE}.`,
    );
    expect(next).toBe(`nothing to do; to print its result: gcore-workflows result ${ID}`);
  });

  it.each(Object.values(FailureType))('gives the advice of a failure: %s', (type) => {
    const advice = `Do what ${type} needs.`;
    const details = { advice, step: 'create instance', resources: [] };

    const { paragraph, next } = explain(failedFacts(type, `It broke. ${advice}`, details));

    expect(paragraph).toContain(`failed after 40 s, at 2026-05-04T03:02:40Z (2 s ago) as ${type}`);
    expect(paragraph).toContain('at the step "create instance". It broke. Nothing that it created');
    expect(paragraph).not.toContain(advice);
    expect(next).toContain(advice);
    expect(next).toContain(AGAIN);
  });

  it('asks for nothing when a person aborted the run', () => {
    const { next } = explain(failedFacts('Aborted', 'x', { advice: 'Start again.' }));

    expect(next).toBe(`nothing to do. Start again. ${AGAIN}`);
  });

  it('names each remaining resource once, with the ids that support needs', () => {
    const message = 'It broke. Still there: volume v-1.';
    const resources = [{ kind: 'volume', id: 'v-1' } as const, instance];

    const { paragraph } = explain(
      failedFacts('TaskFailed', message, { resources, taskId: TASK, requestId: 'r-1' }),
    );

    expect(paragraph).toContain(
      `It broke. Still there: volume v-1. These resources still exist: instance ${INSTANCE}. The task id is ${TASK}. The API's request id is r-1.`,
    );
  });

  it('names every fault of an input in one paragraph', () => {
    const faults = [
      { path: 'instance.flavor', message: 'is missing' },
      { path: 'projectId', message: 'must be a number' },
    ];
    const message = 'The input has 2 faults:\n  instance.flavor: is missing\n  projectId: …';

    const { paragraph } = explain(failedFacts('InvalidInput', message, { faults }));

    expect(paragraph).toContain(
      'The input has 2 faults: instance.flavor is missing; projectId must be a number.',
    );
    expect(paragraph).not.toContain('\n');
  });

  it('has a next step for a failure without advice', () => {
    expect(explain(failedFacts('Strange', 'x', {})).next).toContain('history of the run');
  });

  it.each<[Operation, string, string]>([
    ['importVideos', 'The videos that it has created are kept', 'delete the videos'],
    ['modifyKvStore', 'What it has written stays in the store', 'push the values'],
    ['deleteInstance', 'What it has deleted stays deleted', 'nothing to do'],
    ['grantSftpAccess', 'No key that it has linked is still linked', 'nothing to do'],
    ['protectIp', 'The address is as it was before', 'nothing to do'],
  ])('says what %s leaves when it names nothing', (operation, says, next) => {
    const run = (facts: RunFacts): RunFacts => ({
      ...facts,
      ...(facts.run && { run: { ...facts.run, operation } }),
    });

    const past = { timers: [], taskIds: [], resourceIds: [], leftIds: [] };
    const ending = { kind: 'cancelled' } as const;

    const cancelled = explain(run(closedFacts('CANCELLED', { ending, past })));
    const failed = explain(run(failedFacts('TaskFailed', 'It broke.', { resources: [] })));

    expect(cancelled.paragraph).toContain(says);
    expect(cancelled.next).toContain(next);
    expect(failed.paragraph).toContain(says);
  });

  it.each([
    ['kept', 'kept: the evidence contradicts itself'],
    ['outcome-unknown', 'could not be undone: the key is revoked'],
  ] as const)('does not say that nothing is left while a step is %s', (state, note) => {
    const step = { name: 'create instance', state, taskIds: [], resources: [], note };
    const head = { version: 1, operation: 'provisionInstance', phase: 'failed' } as const;
    const facts = failedFacts('Aborted', 'It broke.', { resources: [] });

    const { paragraph } = explain({ ...facts, status: { ...head, steps: [step] } });

    expect(paragraph).not.toContain('Nothing that it created is left');
    expect(paragraph).toContain(
      `Something may be left of it: "create instance" is ${state} (${note}). Everything it created carries the tag`,
    );
  });

  it('says who terminated the run, and how to find what it created', () => {
    const past = {
      timers: [],
      taskIds: [TASK],
      resourceIds: [],
      terminated: { by: 'ada@laptop', reason: 'wrong button' },
    };

    const { paragraph, next } = explain(closedFacts('TERMINATED', { past }));

    expect(paragraph).toContain('was terminated by ada@laptop (wrong button) after 40 s');
    expect(paragraph).toContain('It could not undo anything');
    expect(paragraph).toContain(`These tasks and resources are known: task ${TASK}.`);
    expect(paragraph).toContain(`the tag workflow-request = blue/${ID}.`);
    expect(next).toContain(AGAIN);
  });

  it('offers no start of the same request for an import whose videos failed: they stay failed in it', () => {
    const { run, ...facts } = failedFacts('ItemsFailed', 'x', { advice: 'y.' });
    const workflowId = 'import-videos/default/may';
    const imported = { ...facts, ...(run && { run: { ...run, operation: 'importVideos' } }) };

    expect(explain({ ...imported, workflowId }).next).toBe(
      `y. gcore-workflows retry ${workflowId}`,
    );
  });

  it('names items that failed in a run that tolerates them', () => {
    const counts = { asked: 100, succeeded: 97 };
    const ending = { kind: 'succeeded' as const, resources: [], counts };

    const { paragraph, next } = explain(closedFacts('COMPLETED', { ending }));

    expect(paragraph).toContain('3 of its 100 items are not done, which its input tolerates.');
    expect(paragraph).not.toContain('done and verified');
    expect(next).toBe(`look at what is not done: gcore-workflows result ${ID}`);
  });

  it('names the tag that a tag of the API can hold', () => {
    const workflowId = `provision-instance/default/${'x'.repeat(250)}`;

    const { paragraph } = explain(closedFacts('TERMINATED', { workflowId }));

    expect(paragraph).toContain(`the tag workflow-request = ${toMarker('blue', workflowId)}.`);
    expect(paragraph).toContain('workflow-request = sha256:');
  });

  it('names the tag of the instance that a replacement has made: its part has made it', () => {
    const { run, ...facts } = closedFacts('TERMINATED', {
      workflowId: 'replace-instance/default/move-7',
    });
    const replaced = { ...facts, ...(run && { run: { ...run, operation: 'replaceInstance' } }) };

    expect(explain(replaced).paragraph).toContain(
      `the tag workflow-request = blue/${partIdFor(facts.workflowId, NEW_INSTANCE)}.`,
    );
  });

  it('says that a Temporal timeout ended the run', () => {
    expect(explain(closedFacts('TIMED_OUT')).paragraph).toContain('ended by a Temporal timeout');
  });

  it('reports the state when the result cannot be read', () => {
    const { paragraph, next } = explain(closedFacts('FAILED'));

    expect(paragraph).toContain('ended as FAILED after 40 s');
    expect(next).toContain(`gcore-workflows result ${ID}`);
  });

  it.each(['my-own', 'shop/default/order-4711', 'provision-instance/blue/order-4711'])(
    'invents no request id for a run with the custom Workflow Id %s',
    (workflowId) => {
      const facts = { ...failedFacts('TaskFailed', 'x', { advice: 'y.' }), workflowId };

      expect(explain(facts).next).toBe('y. start it again under the same workflow id');
    },
  );

  it('names another account in the command: the request is another one in the default account', () => {
    const { run, ...facts } = closedFacts('TERMINATED');
    const inBlue = {
      ...facts,
      workflowId: 'protect-ip/blue/203.0.113.7',
      ...(run && { run: { ...run, operation: 'protectIp', account: 'blue' } }),
    };

    expect(explain(inBlue).next).toMatch(/protect 203.0.113.7 --template ID --account blue$/);
  });
});

describe('the explanation of a run that only reads', () => {
  const reading = (facts: RunFacts): RunFacts => ({
    ...facts,
    workflowId: 'list-ssh-keys/default/audit-7',
    ...(facts.run && { run: { ...facts.run, operation: 'listSshKeys' } }),
  });

  it.each<[string, RunFacts]>([
    ['cancelled', closedFacts('CANCELLED', { ending: { kind: 'cancelled' } })],
    ['failed', failedFacts('InvalidRequest', 'It broke.', { resources: [] })],
    ['terminated', closedFacts('TERMINATED')],
  ])('says that a %s run changed nothing, and how to read again', (_, facts) => {
    const { paragraph, next } = explain(reading(facts));

    expect(paragraph).toContain('It only reads: nothing was changed.');
    expect(paragraph).not.toMatch(/created|undo|the tag/);
    expect(next).toMatch(/gcore-workflows ssh-keys$/);
  });
});

describe('the explanation of a run that linked keys', () => {
  it('sends nobody to look for a tag', () => {
    const facts = closedFacts('TERMINATED');
    const workflowId = 'grant-sftp-access/default/keys-7';

    const { paragraph, next } = explain({
      ...facts,
      workflowId,
      ...(facts.run && { run: { ...facts.run, operation: 'grantSftpAccess' } }),
    });

    expect(paragraph).toContain('The storage shows which keys are linked to it.');
    expect(paragraph).not.toContain('the tag');
    expect(next).toContain('grant-sftp STORAGE --key NAME --request-id keys-7');
  });
});

describe('the explanation of a run that protects an address', () => {
  const protecting = (workflowId: string, state: string): RunFacts => {
    const { run, ...facts } = closedFacts(state, { ending: { kind: 'cancelled' } });
    return { ...facts, workflowId, ...(run && { run: { ...run, operation: 'protectIp' } }) };
  };

  it.each([
    ['203.0.113.7', 'protect 203.0.113.7 --template ID'],
    ['2001:db8::1', 'protect 2001:db8::1 --template ID'],
    ['alert-7', 'protect ADDRESS --template ID --request-id alert-7'],
  ])('names the command that starts %s again', (requestId, command_) => {
    const { next } = explain(protecting(`protect-ip/default/${requestId}`, 'CANCELLED'));

    expect(next).toContain(`gcore-workflows ${command_}`);
  });

  it('mentions no tag, because a profile has none', () => {
    const { paragraph } = explain(protecting('protect-ip/default/203.0.113.7', 'TERMINATED'));

    expect(paragraph).toContain('It could not undo anything');
    expect(paragraph).not.toContain('tag');
  });
});
