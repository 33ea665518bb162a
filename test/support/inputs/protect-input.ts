import type { ProtectIpInput } from '../../../src/contract/operations/types.js';
import { createSimulator, type SimulatorState } from '../../../src/simulator/index.js';

export const PROFILES_PATH = '/cloud/v1/ddos/profiles/1/1';
export const ONE_PROFILE = /^\/cloud\/v1\/ddos\/profiles\/1\/1\/\d+$/;
export const ACTION = /\/action$/;

/** From a range that is reserved for documentation. */
export const ADDRESS = '203.0.113.7';
export const PORTS = { base_field: 3, field_value: [8080, 8443] };

type Input = Omit<ProtectIpInput, 'account'>;

export function protectInput(rest: Partial<Input> = {}): Input {
  const profile = { ip_address: ADDRESS, profile_template: 12, fields: [PORTS] };
  return { projectId: 1, regionId: 1, profile, ...rest };
}

type Profile = SimulatorState['ddosProfiles'][number];

/** A cloud in which each address has a profile (ids from 1), with template 13 and not active. */
export function stateWithProfiles(
  addresses: readonly string[],
  rest: Partial<Profile> = {},
): SimulatorState {
  const state = createSimulator().snapshot();
  return {
    ...state,
    // Later ids follow these.
    sequence: addresses.length,
    ddosProfiles: addresses.map((address, index) => ({
      id: String(index + 1),
      projectId: 1,
      regionId: 1,
      createdAt: 0,
      listedAt: 0,
      address,
      managedBy: 'user',
      templateId: 13,
      fields: [{ base_field: 7, field_value: 27015 }],
      active: false,
      bgp: false,
      status: { status: 'Updated', error_description: '' },
      stale: null,
      ...rest,
    })),
  };
}
