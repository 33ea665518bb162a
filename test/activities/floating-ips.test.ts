import { describe, expect, it } from '@jest/globals';

import { madeFloatingIps, type Makers, type MadeWith } from '../../src/activities/floating-ips.js';
import type { FloatingIp } from '../../src/contract/api/cloud.js';

const MADE: MadeWith = {
  creatorTaskIds: ['t-1'],
  instanceIds: ['i-1'],
  unnamed: {
    instanceIds: ['i-1'],
    addresses: ['203.0.113.9'],
    except: ['f-brought'],
    most: 1,
  },
};

function made(found: FloatingIp[], call: MadeWith = MADE, makers?: Makers): string[] {
  return madeFloatingIps(found, call, makers).map(({ id }) => id);
}

const AT_CALL = { instance: { id: 'i-1' } };

describe('the floating IPs of a create call', () => {
  it('are those of its task, unless somebody has attached them elsewhere', () => {
    const found = [
      { id: 'f-1', creator_task_id: 't-1' },
      { id: 'f-2', creator_task_id: 't-1', instance: { id: 'i-2' } },
      { id: 'f-3', creator_task_id: 't-2', ...AT_CALL },
    ];

    expect(made(found)).toEqual(['f-1']);
  });

  it('are those without a maker that its instance has, by its id or by the address', () => {
    expect(made([{ id: 'f-1', creator_task_id: null, ...AT_CALL }])).toEqual(['f-1']);
    expect(made([{ id: 'f-1', floating_ip_address: '203.0.113.9' }])).toEqual(['f-1']);
    expect(made([{ id: 'f-1', creator_task_id: null, instance: { id: 'i-2' } }])).toEqual([]);
    expect(made([{ id: 'f-1', creator_task_id: null }])).toEqual([]);
  });

  it('are not those that the call attached, or more than it asked for', () => {
    expect(made([{ id: 'f-brought', ...AT_CALL }])).toEqual([]);
    expect(
      made([
        { id: 'f-1', ...AT_CALL },
        { id: 'f-2', ...AT_CALL },
      ]),
    ).toEqual([]);
    expect(
      made([
        { id: 'f-1', creator_task_id: 't-1' },
        { id: 'f-2', ...AT_CALL },
      ]),
    ).toEqual(['f-1']);
  });

  it('are not those that were there long before the instance', () => {
    const instance = { id: 'i-1', created_at: '2026-01-02T00:00:00.000Z' };

    expect(made([{ id: 'f-1', created_at: '2026-01-01T00:00:00.000Z', instance }])).toEqual([]);
    expect(made([{ id: 'f-1', created_at: '2026-01-01T23:58:00.000Z', instance }])).toEqual([
      'f-1',
    ]);
  });

  it('are not those that came long after the instance', () => {
    const instance = { id: 'i-1', created_at: '2026-01-02T00:00:00.000Z' };

    expect(made([{ id: 'f-1', created_at: '2026-01-03T00:00:00.000Z', instance }])).toEqual([]);
  });

  it('are those of a maker that says so itself, or that the API has forgotten', () => {
    const found = [{ id: 'f-1', creator_task_id: 't-7', ...AT_CALL }];

    expect(made(found, MADE, { own: ['t-7'], forgotten: [] })).toEqual(['f-1']);
    expect(made(found, MADE, { own: [], forgotten: ['t-7'] })).toEqual(['f-1']);
    expect(made(found, MADE, { own: [], forgotten: ['t-8'] })).toEqual([]);
  });

  it('are none without a maker where nothing is known of the instance', () => {
    const { creatorTaskIds } = MADE;

    expect(made([{ id: 'f-1', ...AT_CALL }], { creatorTaskIds })).toEqual([]);
  });
});
