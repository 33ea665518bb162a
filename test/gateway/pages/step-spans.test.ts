import { describe, expect, it } from '@jest/globals';

import type { HistorySpan } from '../../../src/client/index.js';
import type { StepStatus } from '../../../src/contract/index.js';
import { assignSpans } from '../../../src/gateway/pages/step-spans.js';

const at = (second: number) => new Date(second * 1_000).toISOString();
const SCALE = { from: 0, to: 100_000 };

function step(name: string, from?: number, to?: number): StepStatus {
  return {
    ...{ name, state: 'verified', taskIds: [], resources: [] },
    ...(from !== undefined && { startedAt: at(from) }),
    ...(to !== undefined && { endedAt: at(to) }),
  };
}

/** A call from a second to another one; without an end it goes on. */
function span(name: string, from: number, to?: number): HistorySpan {
  const ended = to === undefined ? {} : { to: at(to), end: 'done' as const };
  return { kind: 'call', name, from: at(from), ...ended };
}

const namesOf = ({ shown }: { shown: readonly HistorySpan[] }) => shown.map(({ name }) => name);

describe('the calls of a run', () => {
  it('belong to the step whose time fits them best, although another one spans them too', () => {
    const steps = [step('configure', 0, 100), step('activate', 20, 30), step('planned')];
    const spans = [span('whole', 1, 99), span('short', 21, 30), span('open', 40)];

    const { ofSteps, others } = assignSpans(steps, spans, SCALE);

    expect(ofSteps.map(namesOf)).toEqual([['whole', 'open'], ['short'], []]);
    expect(namesOf(others)).toEqual([]);
  });

  it('are the longest of a step in their order, and all that failed or go on', () => {
    const spans = [
      { ...span('failed', 0, 0), end: 'failed' as const },
      ...[1, 2, 3, 4, 5].map((seconds) => span(`${seconds} s`, seconds * 10, seconds * 11)),
      span('open', 90),
    ];

    const { ofSteps } = assignSpans([step('create', 0, 100)], spans, SCALE);

    expect(ofSteps.map(namesOf)).toEqual([['failed', '4 s', '5 s', 'open']]);
    expect(ofSteps[0]?.more).toBe(3);
  });

  it('stand alone where nobody knows the steps', () => {
    expect(namesOf(assignSpans([], [span('look', 1, 2)], SCALE).others)).toEqual(['look']);
  });
});
