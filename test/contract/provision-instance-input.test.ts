import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { MARKER_TAG } from '../../src/contract/wire/names.js';
import {
  provisionInstanceInputSchema,
  provisionInstanceResultSchema,
} from '../../src/contract/operations/provision-instance.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import { A_UUID, createBody } from '../support/inputs/instance-bodies.js';

function parse(input: unknown) {
  return parseInput(provisionInstanceInputSchema, input);
}

function pathsOf(input: unknown): string[] {
  const parsed = parse(input);
  return parsed.ok ? [] : parsed.faults.map((fault) => fault.path);
}

describe('provisionInstanceInputSchema', () => {
  it.each([
    ['nothing but the instance', { instance: createBody() }],
    [
      'every field',
      {
        account: 'team-2',
        projectId: 1,
        regionId: 76,
        onFailure: 'keep',
        waitFor: 'task',
        instance: createBody(),
      },
    ],
  ])('accepts %s', (_title, input) => {
    const parsed = parse(input);

    expect(parsed).toEqual({ ok: true, value: input });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['no instance', {}, 'instance', /^is missing$/],
    ['null', null, '(input)', /must be an object/],
    ['the bare create body', createBody(), 'instance', /^is missing$/],
    ['a project of 0', { projectId: 0 }, 'projectId', /above 0/],
    ['a project as text', { projectId: '1' }, 'projectId', /must be a number/],
    ['half a region', { regionId: 1.5 }, 'regionId', /must be a whole number/],
    ['an account in capitals', { account: 'Team' }, 'account', /lower-case letters, digits, "-"/],
    ['an account with a slash', { account: 'a/b' }, 'account', /lower-case letters/],
    ['an empty account', { account: '' }, 'account', /lower-case letters/],
    ['another onFailure', { onFailure: 'ignore' }, 'onFailure', /^must be one of rollback, keep$/],
    ['another waitFor', { waitFor: 'ACTIVE' }, 'waitFor', /^must be one of task, active$/],
    ['a project under the API name', { project_id: 1 }, 'project_id', /not a known field/],
    ['an API key', { apiKey: 'x' }, 'apiKey', /not a known field/],
    ['a nested fault', { instance: createBody({ name: '?' }) }, 'instance.name', /3 to 63/],
  ])('refuses %s', (_title, input, ...[path, message]) => {
    const parsed = parse(input);

    expect(parsed).toMatchObject({ ok: false });
    expect(parsed.ok ? [] : parsed.faults).toContainEqual({
      path,
      message: expect.stringMatching(message),
    });
  });

  it('lists every fault at once, also faults between fields', () => {
    const input = {
      account: 'No',
      projectId: -1,
      colour: 'red',
      instance: {
        flavour: 'g2',
        name: 'x',
        name_template: 'web-{ip_octets}',
        username: 'admin',
        security_groups: [{ id: A_UUID }],
        interfaces: [
          { type: 'external', security_groups: [{ id: A_UUID }] },
          { type: 'subnet', network_id: 'n' },
        ],
        volumes: [{ source: 'image', image_id: A_UUID, boot_index: '0', size: 0 }],
        tags: { 'a b': 'c', [MARKER_TAG]: 'mine' },
      },
    };

    const paths = pathsOf(input);

    expect(paths.sort()).toEqual(
      [
        'account',
        'colour',
        'instance.flavor',
        'instance.flavour',
        'instance.interfaces[1].network_id',
        'instance.interfaces[1].subnet_id',
        'instance.name',
        'instance.name_template',
        'instance.security_groups',
        'instance.tags',
        'instance.tags.a b',
        'instance.username',
        'instance.volumes[0].boot_index',
        'instance.volumes[0].size',
        'projectId',
      ].sort(),
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['lists that are no lists', { interfaces: 5, volumes: null, security_groups: 'all' }],
    ['entries of null', { interfaces: [null], volumes: [null] }],
    ['no lists', { interfaces: undefined, volumes: undefined, flavor: undefined }],
    ['unknown keys', { flavour: 'x' }],
  ])('checks the rules between fields despite %s', (_title, broken) => {
    const rules = { name: 'web-1', name_template: 'web-{ip_octets}', username: 'admin' };

    const paths = pathsOf({ instance: createBody({ ...rules, ...broken }) });

    expect(paths).toEqual(expect.arrayContaining(['instance.name_template', 'instance.username']));
  });

  it('checks the other entries of a list with a broken entry', () => {
    const groups = { security_groups: [{ id: A_UUID }] };
    const interfaces = [null, { type: 'external', ...groups }];

    const paths = pathsOf({ instance: createBody({ ...groups, interfaces }) });

    expect(paths).toEqual(['instance.interfaces[0]', 'instance.security_groups']);
  });

  it('never throws and lists faults with paths for any JSON', () => {
    const almost = fc.record({ instance: fc.oneof(fc.jsonValue(), almostBody()) });
    const property = fc.property(fc.oneof(fc.jsonValue(), almost), (input) => {
      const parsed = parse(input);

      const faults = parsed.ok ? [] : parsed.faults;
      expect(parsed.ok || faults.length > 0).toBe(true);
      expect(faults.filter(({ path, message }) => path === '' || message === '')).toEqual([]);
    });

    fc.assert(property, { numRuns: 1_000 });
  });

  it('accepts all tags that follow the documented rules', () => {
    const key = fc.string({ minLength: 1, maxLength: 255 }).filter((text) => !/[\s=]/.test(text));
    const value = fc
      .string({ minLength: 1, maxLength: 255 })
      .filter((text) => !/^ | $|[\t\n\r\f\v]/.test(text));
    const tags = fc.dictionary(
      key.filter((text) => text !== MARKER_TAG && text !== '__proto__'),
      value,
    );
    const property = fc.property(tags, (given) => {
      expect(pathsOf({ instance: createBody({ tags: given }) })).toEqual([]);
    });

    fc.assert(property);
  });
});

/** Bodies that are nearly valid. */
function almostBody(): fc.Arbitrary<unknown> {
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom('external', 'image', 'new', A_UUID, 1));
  const item = fc.dictionary(
    fc.constantFrom('type', 'source', 'size', 'tags', 'floating_ip'),
    field,
  );
  const lists = { interfaces: fc.array(item), volumes: fc.array(item), tags: item };
  return fc.record({ flavor: field, name: field, username: field, ...lists }, { requiredKeys: [] });
}

describe('provisionInstanceResultSchema', () => {
  it('refuses a result without the id of the instance', () => {
    const result = { name: 'web', status: 'ACTIVE', addresses: [], taskIds: [], adopted: false };

    const parsed = parseInput(provisionInstanceResultSchema, { ...result, ledger: [] });

    expect(parsed).toEqual({ ok: false, faults: [{ path: 'instanceId', message: 'is missing' }] });
  });
});

describe('protect of provisionInstance', () => {
  const protect = { profile_template: 12 };
  const network_id = A_UUID;

  it.each<[string, object, string[]]>([
    ['nothing', { protect }, []],
    [
      'what protects',
      { protect: { ...protect, ip_address: '203.0.113.7' } },
      ['protect.ip_address'],
    ],
    ['an instance that is waited for', { protect, waitFor: 'task' }, ['waitFor']],
    [
      'a public address',
      { protect, instance: createBody({ interfaces: [{ type: 'any_subnet', network_id }] }) },
      ['protect'],
    ],
  ])('needs %s', (_title, change, paths) => {
    expect(pathsOf({ instance: createBody(), ...change })).toEqual(paths);
  });
});
