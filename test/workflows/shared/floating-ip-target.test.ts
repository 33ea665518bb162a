import { describe, expect, it } from '@jest/globals';

import type { InterfaceView } from '../../../src/activities/floating-ip-moves.js';
import { chooseTarget } from '../../../src/workflows/shared/floating-ip-target.js';

const port = (portId: string, changes: Partial<InterfaceView> = {}): InterfaceView => ({
  portId,
  addresses: [`10.0.0.${portId}`],
  isExternal: false,
  floatingIps: [],
  ...changes,
});
const wanted = { floatingIpId: 'mine', instanceId: 'i-1' };

describe('the address that a floating IP is moved to', () => {
  it('is the only private IPv4 address of the instance', () => {
    const interfaces = [
      port('1', { isExternal: true }),
      port('2', { addresses: ['fd00::2', '10.0.0.2'] }),
    ];

    expect(chooseTarget(interfaces, wanted)).toEqual({ portId: '2', fixedIp: '10.0.0.2' });
  });

  it('is the one that the input names, and must be named among several', () => {
    const interfaces = [port('1'), port('2')];

    expect(chooseTarget(interfaces, { ...wanted, fixedIpAddress: '10.0.0.2' })).toEqual({
      portId: '2',
      fixedIp: '10.0.0.2',
    });
    expect(chooseTarget(interfaces, wanted)).toMatchObject({
      message: 'Instance i-1 has several addresses',
      advice: 'Name the one that is meant: 10.0.0.1, 10.0.0.2.',
    });
  });

  it('is where the floating IP is already, also among several', () => {
    const interfaces = [port('1'), port('2', { floatingIps: [{ id: 'mine' }] })];

    expect(chooseTarget(interfaces, wanted)).toMatchObject({ portId: '2' });
  });

  it('must not have another floating IP', () => {
    const interfaces = [port('1', { floatingIps: [{ id: 'other', fixedIp: '10.0.0.1' }] })];

    expect(chooseTarget(interfaces, wanted)).toMatchObject({
      message: 'The address 10.0.0.1 has the floating IP other already',
    });
  });

  it.each([
    ['no instance', undefined, 'There is no instance i-1'],
    ['no interface', [], 'Instance i-1 has no private IPv4 address'],
    ['only a public one', [port('1', { isExternal: true })], 'no private IPv4 address'],
  ])('is missing where there is %s', (_what, interfaces, message) => {
    expect(chooseTarget(interfaces, wanted)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });
});
