import { beforeAll, expect, it } from '@jest/globals';

import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';
import { differences } from './compare.js';
import { scripts } from './scripts/index.js';
import { simulateScript } from './simulate-script.js';
import type { Script } from './stage.js';

const WORKFLOWS = 'test/simulation/conformance/workflows';

let bundles = { now: '', next: '' };

beforeAll(async () => {
  const now = await bundleWorkflows(`${WORKFLOWS}/index.ts`);
  bundles = { now, next: now };
});

function scriptNamed(name: string): Script {
  const script = scripts.find((each) => each.name === name);
  if (script === undefined) throw new Error(`there is no script named ${name}`);
  return script;
}

it('Finds no difference between two simulations of a script', async () => {
  const script = scriptNamed('activities in turn');
  const [first, second] = [
    await simulateScript(script, bundles),
    await simulateScript(script, bundles),
  ];
  expect(differences([first], [second])).toEqual([]);
});

it('Finds the events of a server that behaves in another way', async () => {
  const script = scriptNamed('activities in turn');
  const expected = await simulateScript(script, bundles);
  const actual = await simulateScript(script, bundles, { suggestContinueAsNewCount: 2 });
  const [difference] = differences([expected], [actual]);
  expect(difference?.text).toContain('- ');
  expect(difference?.text).toMatch(/^\+ .*"suggestContinueAsNew":true/m);
});

it('Finds an observation that differs', () => {
  const seen = (value: unknown) => ({ histories: [], observed: { value } });
  const outcome = { name: 'one', seconds: 1 };
  expect(
    differences([{ ...outcome, seen: seen(1) }], [{ ...outcome, seen: seen(2) }])[0]?.text,
  ).toBe('- saw value: 1\n+ saw value: 2');
});

it('Finds a script that was not run', () => {
  const outcome = { name: 'one', seconds: 1, seen: { histories: [], observed: 1 } };
  expect(differences([outcome], [])[0]?.text).toContain('(not run)');
});
