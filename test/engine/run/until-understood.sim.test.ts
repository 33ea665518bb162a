import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { dataVolumeOf, stateWithInstances } from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const WANTED = { volumeId: dataVolumeOf(1), size: 40 };
const EXTEND = `POST /cloud/v1/volumes/1/1/${WANTED.volumeId}/extend`;
const SECRET = 'hunter2';

/** The next reads of the volume have a status that is no text. */
function answerOddly({ simulator }: Scenario, times: number): void {
  simulator.faults.add({
    match: { method: 'GET', path: `/cloud/v1/volumes/1/1/${WANTED.volumeId}`, times },
    action: { kind: 'status', status: 200, body: { id: WANTED.volumeId, status: [SECRET] } },
  });
}

describe('an answer of unknown form', () => {
  it('is asked for again: it may be a passing one', () =>
    inScenario({ state: STATE }, async (scenario) => {
      answerOddly(scenario, 6);
      const run = await scenario.start('extendVolume', { ...WANTED, onBlocked: 'fail' });

      expect(await run.result()).toMatchObject({ size: 40 });
      expect(scenario.mutations()).toEqual([EXTEND]);
    }));

  it('blocks the run after a minute, with the field, until it has a known form', () =>
    inScenario({ state: STATE }, async (scenario) => {
      answerOddly(scenario, 10);
      const run = await scenario.start('extendVolume', WANTED);

      await untilBlocked(run, 'UnexpectedResponse');
      const { blocked: { message = '', advice = '' } = {} } = await run.query(statusQuery);
      const result = await run.result();

      expect(message).toContain('status: Invalid input: expected string, received array');
      expect(`${message} ${advice}`).not.toContain(SECRET);
      expect(advice).toContain('newer version');
      expect(result).toMatchObject({ size: 40 });
      expect(scenario.mutations()).toEqual([EXTEND]);
    }));

  it('ends a run that does not wait for a person', () =>
    inScenario({ state: STATE }, async (scenario) => {
      answerOddly(scenario, Infinity);
      const run = await scenario.start('extendVolume', { ...WANTED, onBlocked: 'fail' });

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'UnexpectedResponse' });
      expect(failed.message).toContain('status: Invalid input: expected string, received array');
      expect(scenario.mutations()).toEqual([]);
    }));
});
