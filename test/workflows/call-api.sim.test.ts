import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { abortUpdate, resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import type { Blocked } from '../../src/engine/schema/status-document.js';
import type { FaultRule } from '../../src/simulator/index.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
import { hitsIn, recording } from '../secrets/run-with-secrets.js';
import { dataVolumeOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const VOLUMES = '/cloud/v1/volumes/1/1';
const VOLUME = `${VOLUMES}/${dataVolumeOf(1)}`;
const RENAMING = {
  method: 'PATCH',
  path: VOLUME,
  body: { name: 'archive' },
  look: { path: VOLUME, pointer: '/name', equals: 'archive' },
  undo: { method: 'PATCH', path: VOLUME, body: { name: 'data' } },
} as const;
const CREATING = {
  method: 'POST',
  path: VOLUMES,
  body: { source: 'new-volume', name: 'made', size: 5 },
} as const;
const LOOK = {
  path: VOLUMES,
  query: { name_part: 'made' },
  pointer: '/results/0/name',
  equals: 'made',
} as const;
const POST = { method: 'POST', path: VOLUMES } as const;

const made = ({ simulator }: Scenario) =>
  simulator.inventory().volumes.filter(({ name }) => name === 'made');

const lose = ({ simulator }: Scenario, match: FaultRule['match'] = POST) => {
  simulator.faults.add({ match, action: { kind: 'drop-response' } });
};

const whyBlocked = async (run: WorkflowHandle): Promise<Partial<Blocked>> => {
  await untilBlocked(run, 'OutcomeUnknown');
  return (await run.query(statusQuery)).blocked ?? {};
};

describe('callApi', () => {
  it('makes the call, verifies it by the look, and names what takes it back', () =>
    inScenario({ state: STATE, record: 'api-called' }, async (scenario) => {
      const run = await scenario.start('callApi', RENAMING);

      const result = await run.result();
      // Who may read a result may not see the values of an input.
      expect(JSON.stringify(result)).not.toContain(RENAMING.look.equals);
      expect(result).toHaveProperty('undo', { method: 'PATCH', path: VOLUME });
      expect(result).toMatchObject({
        sent: true,
        taskIds: [],
        ledger: [{ name: 'call API', note: 'carried out, and the look shows what is wanted' }],
      });
      expect(scenario.mutations()).toEqual([`PATCH ${VOLUME}`]);
    }));

  it('sends nothing when the look shows that there is nothing to do', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const gone = `${VOLUMES}/${dataVolumeOf(9)}`;
      const deleting = { method: 'DELETE', path: gone, look: { path: gone, gone: true } } as const;
      const undo = RENAMING.undo;
      const run = await scenario.start('callApi', { ...deleting, undo });

      expect(await run.result()).toMatchObject({ sent: false, undo: null, taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

  describe('that deletes', () => {
    const path = `${VOLUMES}/${dataVolumeOf(1)}`;
    const state = stateWithInstances([{ of: 1, dataVolume: 'available' }]);
    const DELETING = { method: 'DELETE', path, look: { path, gone: true } } as const;
    const volumesOf = ({ simulator }: Scenario) =>
      simulator.inventory().volumes.map(({ id }) => id);

    it('does not believe one 404', () =>
      inScenario({ state }, async (scenario) => {
        scenario.simulator.faults.add({
          match: { method: 'GET', path },
          action: { kind: 'status', status: 404 },
        });
        const run = await scenario.start('callApi', DELETING);

        expect(await run.result()).toMatchObject({ sent: true });
        expect(volumesOf(scenario)).not.toContain(dataVolumeOf(1));
      }));

    it('believes one after its task has finished', () =>
      inScenario({ state }, async (scenario) => {
        const run = await scenario.start('callApi', DELETING);

        expect(await run.result()).toMatchObject({ sent: true });
        const looks = scenario.simulator.requests.filter((call) => call.path === path);
        expect(looks.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'GET']);
      }));
  });

  describe('that sends a secret', () => {
    const body = { name: 'archive', tags: { owner: { $secret: 'owner' } } };
    const BLIND = { method: 'PATCH', path: VOLUME, body } as const;
    const NAMED = { ...BLIND, look: RENAMING.look };
    const VALUE = 'canary-of-the-owner';

    it.each([
      ['with a look', NAMED],
      ['without a look', BLIND],
    ])('waits for it %s, sends it once, and shows it nowhere', (_how, input) => {
      const secrets = createSecretsFolder();
      const bodies: string[] = [];
      const options = {
        ...{ state: STATE, secretsFolder: secrets.path, line: recording(bodies) },
        policy: { probeMs: 200 },
      };
      return inScenario(options, async (scenario) => {
        const run = await scenario.start('callApi', input);
        await untilBlocked(run, 'SecretUnavailable');
        expect(scenario.mutations()).toEqual([]);

        secrets.write('owner', VALUE);

        expect(await run.result()).toMatchObject({ sent: true });
        expect(scenario.mutations()).toEqual([`PATCH ${VOLUME}`]);
        expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([
          { name: 'archive', tags: { owner: VALUE } },
        ]);
        expect(await hitsIn(scenario, run, [VALUE])).toEqual([]);
      });
    });

    it('repeats it in no failure, whatever the API says', () => {
      const { path: secretsFolder } = createSecretsFolder({ owner: VALUE });
      return inScenario({ state: STATE, secretsFolder }, async (scenario) => {
        const body = { message: `bad: ${VALUE} ${btoa(VALUE)}` };
        scenario.simulator.faults.add({
          match: { method: 'PATCH', path: VOLUME },
          action: { kind: 'status', status: 400, body },
        });
        const run = await scenario.start('callApi', NAMED);

        const { type, message } = await failureOfRun(run);

        expect([type, message]).toEqual(['InvalidRequest', expect.stringContaining('[redacted]')]);
        expect(await hitsIn(scenario, run, [VALUE])).toEqual([]);
      });
    });

    it('is told by a plan when the worker lacks it', () => {
      const { path: secretsFolder } = createSecretsFolder();
      return inScenario({ state: STATE, secretsFolder }, async (scenario) => {
        const { ready, findings } = await planOf(scenario, 'callApi', { input: NAMED });

        const [path, message] = ['body.tags.owner', expect.stringContaining('"owner"')];
        expect(ready).toBe(false);
        expect(findings).toContainEqual(expect.objectContaining({ path, message }));
      });
    });
  });

  it('waits for the task of the call, and says what that has made', () =>
    inScenario({}, async (scenario) => {
      const run = await scenario.start('callApi', CREATING);

      const { taskIds, created } = await run.result();
      expect(taskIds).toHaveLength(1);
      expect(created).toEqual([{ kind: 'volumes', id: made(scenario)[0]?.id }]);
    }));

  it('finds by the look what a call has made whose answer was lost, and makes no second one', () =>
    inScenario({}, async (scenario) => {
      lose(scenario);
      const run = await scenario.start('callApi', { ...CREATING, look: LOOK });

      expect(await run.result()).toMatchObject({ sent: true });
      expect(made(scenario)).toHaveLength(1);
    }));

  it('makes no second one for a look that is wrong', () =>
    inScenario({}, async (scenario) => {
      lose(scenario);
      const run = await scenario.start('callApi', {
        ...CREATING,
        look: { ...LOOK, equals: 'another' },
      });

      const { message } = await whyBlocked(run);
      expect(message).toMatch(/tasks of that time have finished that may be its own: \S+$/);
      expect(scenario.mutations()).toEqual([`POST ${VOLUMES}`]);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      expect(await failureOfRun(run)).toMatchObject({ type: 'Aborted' });
    }));

  it('never sends a call twice that nothing can look for', () =>
    inScenario({ record: 'api-call-unknown' }, async (scenario) => {
      lose(scenario);
      const run = await scenario.start('callApi', CREATING);
      const { advice } = await whyBlocked(run);
      expect(advice).toMatch(/portal.*`abort`/);

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await untilBlocked(run, 'OutcomeUnknown');
      const corrected = { ...CREATING, look: LOOK, account: scenario.account };
      await expect(
        run.executeUpdate(resumeUpdate, { args: [{ input: corrected }] }),
      ).rejects.toThrow();
      await run.executeUpdate(abortUpdate, { args: [{}] });
      expect(await failureOfRun(run)).toMatchObject({ type: 'Aborted' });
      expect(made(scenario)).toHaveLength(1);
    }));

  it('never sends a call twice that nothing can look for, also where the server lists runs late', () =>
    inScenario({ visibilityLagMs: 60_000 }, async (scenario) => {
      lose(scenario);
      const { client, taskQueue, account } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const request = { requestId: 'at-once', input: { ...CREATING, account } };
      const { workflowId } = await gcore.start('callApi', request);
      const run = client.workflow.getHandle(workflowId);
      await whyBlocked(run);
      await gcore.abort(workflowId);
      await failureOfRun(run);

      await gcore.start('callApi', request);

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidInput' });
      expect(made(scenario)).toHaveLength(1);
    }));

  it('fails when the task fails, and sends the call once although a quota can be mended', () =>
    inScenario({}, async (scenario) => {
      const error = 'Quota exceeded';
      scenario.simulator.faults.add({ match: POST, action: { kind: 'task-error', error } });
      const run = await scenario.start('callApi', { ...CREATING, undo: RENAMING.undo });

      const { type, details } = await failureOfRun(run);
      expect(type).toBe('TaskFailed');
      expect(details.advice).toContain(`By the input, PATCH ${VOLUME} takes it back.`);
      expect(scenario.mutations()).toEqual([`POST ${VOLUMES}`]);
    }));

  it('refuses paths that the worker does not allow, each by its field and with the pattern to add', () =>
    inScenario({ callApi: [`PATCH ${VOLUMES}/*`], state: STATE }, async (scenario) => {
      const undo = { method: 'DELETE', path: VOLUME } as const;
      const run = await scenario.start('callApi', { ...RENAMING, undo });

      const { type, details } = await failureOfRun(run);
      expect(type).toBe('InvalidInput');
      expect(details.faults).toEqual(
        ['look.path', 'undo.path'].map((path) => ({
          path,
          message: expect.stringMatching(/can add "(?:GET|DELETE) \S+" to its GCORE_CALL_API/),
        })),
      );
    }));

  it('shows in a plan the call, the look and what takes it back', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { look, ...blind } = RENAMING;

      expect(await planOf(scenario, 'callApi', { input: RENAMING })).toMatchObject({
        ready: true,
        irreversible: [`The run takes nothing back. By the input, PATCH ${VOLUME} does.`],
        calls: [
          { method: 'GET', path: look.path },
          { method: 'PATCH', path: VOLUME },
          { method: 'GET' },
          { method: 'GET', path: look.path },
        ],
      });
      const plan = await planOf(scenario, 'callApi', { input: blind });
      expect(plan.findings.map(({ path }) => path)).toEqual(['body', 'look']);
      expect(scenario.mutations()).toEqual([]);
    }));
});
