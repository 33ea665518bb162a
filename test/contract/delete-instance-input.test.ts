import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { deleteInstanceInputSchema } from '../../src/contract/operations/delete-instance.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

const ID = '99999999-0000-4000-8000-000000000000';
const INPUT = { instanceId: ID, volumes: 'delete', floatingIps: 'keep' };
const BY_REQUEST = {
  madeBy: 'provision-instance/default/order-1',
  volumes: [ID],
  floatingIps: [ID],
};

const faultsOf = (input: unknown) => {
  const parsed = parseInput(deleteInstanceInputSchema, input);
  return parsed.ok ? [] : parsed.faults;
};

describe('the input of deleteInstance', () => {
  it('accepts the example', () => {
    const text = readFileSync('examples/delete-instance.json', 'utf8');

    expect(parseInput(deleteInstanceInputSchema, JSON.parse(text))).toMatchObject({ ok: true });
  });

  it.each([
    INPUT,
    BY_REQUEST,
    { ...INPUT, projectId: 1, regionId: 76, account: 'blue', onBlocked: 'fail' },
    { ...INPUT, deadline: '5 minutes', planOnly: true },
  ])('accepts %j', (input) => {
    expect(parseInput(deleteInstanceInputSchema, input)).toEqual({ ok: true, value: input });
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['(input)']],
    ['an empty object', {}, ['volumes', 'floatingIps', 'instanceId']],
    ['both an id and a request', { ...INPUT, madeBy: 'x' }, ['instanceId']],
    ['an empty Workflow Id', { ...BY_REQUEST, madeBy: '' }, ['madeBy']],
    ['a name instead of an id', { ...INPUT, instanceId: 'web-1' }, ['instanceId']],
    ['an unknown choice', { ...INPUT, volumes: 'all' }, ['volumes']],
    ['an empty list', { ...INPUT, floatingIps: [] }, ['floatingIps']],
    ['a choice by name', { ...INPUT, volumes: [ID, 'boot'] }, ['volumes[1]']],
    ['a rollback', { ...INPUT, onFailure: 'rollback' }, ['onFailure']],
  ])('refuses %s', (_, input, paths) => {
    expect(faultsOf(input).map(({ path }) => path)).toEqual(paths);
  });

  it('names each missing choice and the values it may have', () => {
    const faults = faultsOf({ instanceId: ID, volumes: 'all' });

    expect(faults).toEqual([
      { path: 'volumes', message: expect.stringContaining('"delete", "keep", or a list of ids') },
      { path: 'floatingIps', message: expect.stringContaining('is missing: choose "delete"') },
    ]);
  });
});
