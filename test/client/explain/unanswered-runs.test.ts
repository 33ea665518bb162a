import { describe, expect, it } from '@jest/globals';

import { toExplanation } from '../../../src/client/explain/explain-run.js';
import type { RunFacts } from '../../../src/client/explain/run-facts.js';
import { at, factsOf, TASK } from './run-facts.js';

const command = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;
const explain = (facts: RunFacts) => toExplanation(facts, command);

describe('the explanation of an open run without a worker', () => {
  const past = {
    timers: [
      { summary: 'task x: next look', firesAt: at(50) },
      { summary: 'deadline of the run', firesAt: at(30) },
    ],
    lastCall: { name: 'createInstance', endedAt: at(1) },
    taskIds: [TASK],
    resourceIds: [],
  };

  it('names the queues that no worker polls, and reads the rest from the history', () => {
    const idleQueues = ['gcore-workflows', 'gcore-api-default'];
    const workflowTask = { attempt: 1, since: at(40) };

    const { paragraph, next } = explain(factsOf({ idleQueues, past, workflowTask }));

    expect(paragraph).toContain('No worker answered for it, so the rest is read from its history.');
    expect(paragraph).toContain('Its last answered call is createInstance, at 2026');
    expect(paragraph).toContain(`The answers of the API named task ${TASK}.`);
    expect(paragraph).toContain(
      'The timer "task x: next look" fires at 2026-05-04T03:02:50Z (in 8 s).',
    );
    expect(paragraph).toContain('"deadline of the run" was due at');
    expect(paragraph).toContain('Its next workflow task has been due since 2026-05-04T03:02:40Z');
    expect(paragraph).toContain(
      'No worker polls the queues "gcore-workflows" and "gcore-api-default": the run waits for a worker',
    );
    expect(next).toBe('start a worker: gcore-workflows worker');
  });

  it('names the account that no worker serves, and how to serve it', () => {
    const idleQueues = ['gcore-api-default', 'gcore-urgent-default'];

    const { paragraph, next } = explain(factsOf({ idleQueues }));

    expect(paragraph).toContain(
      'No worker serves the account "default": the run waits for one, and nothing is lost.',
    );
    expect(next).toMatch(/^start a worker with GCORE_ACCOUNT=default .*gcore-workflows worker/);
  });

  it('says that nothing was sent when the history has no call', () => {
    const { paragraph } = explain(factsOf({ idleQueues: ['gcore-workflows'] }));

    expect(paragraph).toContain('It has not sent anything to the API yet.');
  });

  it('does not claim that no worker runs when one polled a moment ago', () => {
    const { paragraph, next } = explain(factsOf({ past }));

    expect(paragraph).toContain('That worker was stopped just now, or it is overloaded');
    expect(next).toContain('gcore-workflows worker --check');
  });

  it('claims nothing about workers when the server does not list them', () => {
    const unlisted = factsOf({ past });
    delete unlisted.idleQueues;

    expect(explain(unlisted).paragraph).toContain('No worker answered for it within seconds.');
  });

  it('blames the code or the version when workflow tasks fail', () => {
    const workflowTaskFailure = { at: at(20), message: 'Nondeterminism error: no such timer' };
    const workflowTask = { attempt: 7, since: at(20) };

    const { paragraph, next } = explain(
      factsOf({
        past: { ...past, workflowTaskFailure },
        workflowTask,
        idleQueues: ['gcore-workflows'],
      }),
    );

    expect(paragraph).toContain(
      'its workflow task fails with "Nondeterminism error: no such timer"',
    );
    expect(paragraph).toContain('nothing is lost or undone');
    expect(next).toContain('run a worker of the version that has carried the run so far');
  });

  it('mentions a pause and a cancel request', () => {
    const paused = { ...past, pausedAt: at(12), cancelRequestedAt: at(32) };

    const { paragraph } = explain(factsOf({ past: paused }));

    expect(paragraph).toContain('An operator paused it at 2026-05-04T03:02:12Z (30 s ago).');
    expect(paragraph).toContain('It was asked to cancel at 2026-05-04T03:02:32Z (10 s ago)');
  });
});
