import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../../src/engine/core/messages.js';
import type { PlanFinding } from '../../../../src/engine/schema/documents.js';
import { createSimulator } from '../../../../src/simulator/index.js';
import { bootVolume, NETWORK, WINDOWS } from '../../../support/inputs/bad-inputs.js';
import { planOf } from '../../../support/runs/plan-of.js';
import { CREATE_PATH, provisionInput } from '../../../support/inputs/provision-input.js';
import { failureOfRun } from '../../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../../simulation/scenario.js';
const PLAN = { requestId: 'order-1' };
const key = { ssh_key_name: null, password: 'canary-secret' };

const planProvision = (scenario: Scenario, ...input: Parameters<typeof provisionInput>) =>
  planOf(scenario, 'provisionInstance', { ...PLAN, input: provisionInput(...input) });

const pathsOf = (findings: readonly PlanFinding[], severity: PlanFinding['severity']) =>
  findings.filter((finding) => finding.severity === severity).map(({ path }) => path);

describe('the plan of provisionInstance', () => {
  it('is ready, and lists the calls of the run', () =>
    inScenario({ record: 'planned', secretsPolicy: 'allow' }, async (scenario) => {
      const { findings, ...plan } = await planProvision(scenario, {
        ...key,
        volumes: [bootVolume({ delete_on_termination: true })],
        interfaces: [{ type: 'any_subnet', network_id: NETWORK, floating_ip: { source: 'new' } }],
      });

      expect(findings).toEqual([]);
      expect(plan).toMatchObject({ operation: 'provisionInstance', ready: true, adopts: [] });
      expect(plan.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /cloud/v1/instances/1/1',
        'POST /cloud/v2/instances/1/1',
        'GET /cloud/v1/tasks/{task_id}',
        'GET /cloud/v1/instances/1/1/{instance_id}',
      ]);
      expect(plan.irreversible).toHaveLength(2);
      expect(plan.price).toMatchObject({ currency: 'EUR' });
      expect(plan.price?.perMonth).toBeGreaterThan(10);
      expect(scenario.simulator.mutations()).toEqual([]);
      expect(scenario.simulator.inventory().instances).toEqual([]);
    }));

  it.each([403, 503])('is ready without a price that the API refuses with %d', (status) =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { path: /^\/cloud\/v2\/pricing\//, times: Infinity },
        action: { kind: 'status', status },
      });

      const plan = await planProvision(scenario, key);

      expect(plan).toMatchObject({ ready: true });
      expect(plan).not.toHaveProperty('price');
      expect(plan.findings.filter(({ message }) => message.includes('price'))).toEqual([]);
    }),
  );

  it('lists every call that the run then sends', () =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      const plan = await planProvision(scenario, key);
      const before = scenario.simulator.requests.length;
      const run = await scenario.start('provisionInstance', provisionInput(key));
      await run.result();

      const shape = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\{\w+\}/, '*');
      const sent = scenario.simulator.requests
        .slice(before)
        // Leave out the watcher, which polls the tasks of all runs.
        .filter(({ userAgent }) => userAgent?.includes('provisionInstance') === true)
        .map(({ method, path }) => `${method} ${shape(path)}`);
      const planned = plan.calls.map(({ method, path }) => `${method} ${shape(path)}`);
      expect([...new Set(sent)].filter((call) => !planned.includes(call))).toEqual([]);
    }));

  it('adopts the instance of an earlier try of the same request', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const workflowId = `provision-instance/${account}/order-1`;
      const run = await scenario.start('provisionInstance', provisionInput(), workflowId);
      const { instanceId } = await run.result();
      const before = scenario.simulator.mutations().length;

      const same = await planProvision(scenario);
      const other = await planOf(scenario, 'provisionInstance', { input: provisionInput() });

      expect(same.adopts[0]).toEqual({ kind: 'instance', id: instanceId });
      expect(same.adopts).toHaveLength(2);
      expect(same.calls.map(({ method }) => method)).not.toContain('POST');
      expect(other.adopts).toEqual([]);
      expect(scenario.simulator.mutations()).toHaveLength(before);
    }));

  it('warns about settings that are allowed but rarely intended', () =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      const plan = await planProvision(scenario, {
        ...key,
        user_data: 'IyEvYmluL3No',
        volumes: [{ source: 'image', image_id: WINDOWS, boot_index: 0 }],
      });
      const unnumbered = await planProvision(scenario, {
        ...key,
        volumes: [{ source: 'image', image_id: WINDOWS, size: 60 }],
      });
      const bare = await planProvision(scenario, {
        volumes: [{ source: 'new-volume', size: 5 }],
      });

      expect(pathsOf(plan.findings, 'warning')).toEqual([
        'instance.volumes[0].size',
        'instance.volumes[0].delete_on_termination',
      ]);
      expect(unnumbered.findings).toContainEqual(
        expect.objectContaining({
          path: 'instance.volumes',
          message: expect.stringContaining('0'),
        }),
      );
      expect(pathsOf(bare.findings, 'warning')).toEqual([
        'instance.volumes',
        'instance',
        'instance.volumes[0].delete_on_termination',
      ]);
      expect([plan.ready, unnumbered.ready, bare.ready]).toEqual([true, true, true]);
    }));

  it('compares what is for an application template with the template', () =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      const parameters = { allow_app_ports: true, configuration: { max_players: 8, map: 'x' } };
      const fromTemplate = (id: string) => ({
        ...key,
        ...parameters,
        volumes: [{ source: 'apptemplate' as const, apptemplate_id: id, boot_index: 0 }],
      });
      const incomplete = await planProvision(scenario, fromTemplate('tf2server'));
      const unknown = await planProvision(scenario, fromTemplate('other'));
      const none = await planProvision(scenario, { ...key, ...parameters });

      expect(incomplete.ready).toBe(false);
      expect(incomplete.findings.filter(({ path }) => path === 'instance.configuration')).toEqual([
        {
          severity: 'fault',
          path: 'instance.configuration',
          message: 'lacks what the template needs: "rcon_password"',
          advice: 'Add it.',
        },
        {
          severity: 'warning',
          path: 'instance.configuration',
          message: 'has what the template does not know: "map"',
          advice:
            'Check the names: the template takes "rcon_password", "server_name", "max_players".',
        },
      ]);
      expect(pathsOf(unknown.findings, 'fault')).toEqual(['instance.volumes[0].apptemplate_id']);
      expect(none.ready).toBe(true);
      expect(pathsOf(none.findings, 'warning').slice(0, 2)).toEqual([
        'instance.allow_app_ports',
        'instance.configuration',
      ]);
    }));

  it('is not ready without capacity, and only warns if an alternative has capacity', () => {
    const state = { ...emptyState(), soldOutFlavors: ['g2-standard-2-4'] };
    return inScenario({ state }, async (scenario) => {
      const alone = await planProvision(scenario);
      const alternatives = [{ flavor: 'g2-standard-4-8' }];
      const helped = await planProvision(scenario, {}, { alternatives });

      expect(pathsOf(alone.findings, 'fault')).toEqual(['instance.flavor']);
      expect(pathsOf(helped.findings, 'fault')).toEqual([]);
      expect(pathsOf(helped.findings, 'warning')).toContain('instance.flavor');
      expect(helped.calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
    });
  });

  it('is not ready when the API refuses the key, and does not block', () =>
    inScenario({}, async (scenario) => {
      scenario.simulator.faults.add({
        match: { times: Infinity },
        action: { kind: 'status', status: 401 },
      });

      const { ready, findings } = await planProvision(scenario);

      expect(ready).toBe(false);
      expect(findings[0]).toMatchObject({ severity: 'fault', advice: expect.any(String) });
      expect(findings[0]?.message).toContain('401');
    }));

  it('warns when the API refuses a read that the run does not need', () =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      const path = /check_limits$/;
      scenario.simulator.faults.add({ match: { path }, action: { kind: 'status', status: 405 } });

      const { ready, findings } = await planProvision(scenario, key);

      expect(ready).toBe(true);
      expect(findings).toContainEqual({
        severity: 'warning',
        message: expect.stringContaining('Could not look at the quotas'),
        advice: expect.any(String),
      });
    }));

  it('survives an outage', () =>
    inScenario({}, async (scenario) => {
      const action = { kind: 'status', status: 503 } as const;
      scenario.simulator.faults.add({ match: { nth: 2, times: 2 }, action });

      expect(await planProvision(scenario)).toMatchObject({ ready: true });
    }));

  it('says that the run deletes the broken instance of an earlier try', () =>
    inScenario({}, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'no', leftovers: 'instance' },
      });
      const workflowId = `provision-instance/${scenario.account}/order-1`;
      const input = provisionInput({}, { onFailure: 'keep' });
      await failureOfRun(await scenario.start('provisionInstance', input, workflowId));

      const { ready, findings, irreversible } = await planProvision(scenario);

      expect(ready).toBe(true);
      expect(findings[0]?.message).toContain('An earlier try of this request left instance');
      expect(irreversible[0]).toMatch(/^May delete the broken instance /);
    }));

  it('is part of the status of its run', () =>
    inScenario({}, async ({ client, taskQueue, account }) => {
      const run = await client.workflow.start('provisionInstance', {
        workflowId: `plan/x/${account}`,
        taskQueue,
        args: [{ ...provisionInput(), account, planOnly: true }],
      });

      expect(await run.result()).toMatchObject({ plan: { ready: true } });
      expect(await run.query(statusQuery)).toMatchObject({
        phase: 'succeeded',
        steps: [{ name: 'make the plan', state: 'verified', note: 'ready' }],
      });
    }));

  it('is refused under the id of a request, because its success would count for the request', () =>
    inScenario({}, async ({ startRaw, account, simulator }) => {
      const input = { ...provisionInput(), account, planOnly: true };
      const run = await startRaw('provisionInstance', [input]);

      const { type, details } = await failureOfRun(run);

      expect(type).toBe('InvalidInput');
      expect(details.faults).toEqual([
        { path: 'planOnly', message: expect.stringContaining('plan/raw-') },
      ]);
      expect(simulator.requests).toEqual([]);
    }));
});

function emptyState() {
  return { ...createSimulator().snapshot() };
}
