import { badInputsOf, type BadInput } from './bad-input.js';
import { ADDRESS, PORTS, protectInput, stateWithProfiles } from './protect-input.js';
import { provisionInput } from './provision-input.js';

const bad = badInputsOf('protectIp', protectInput());
const profile = (change: object) => ({ profile: { ...protectInput().profile, ...change } });
/** The address has no profile. */
const fields = (...list: unknown[]) => profile({ ip_address: '203.0.113.99', fields: list });

const BROKEN: readonly BadInput[] = [
  bad('no address', profile({ ip_address: undefined }), ['profile.ip_address', /is missing/]),
  bad('a network', profile({ ip_address: '203.0.113.0/24' }), ['profile.ip_address', /a network/]),
  bad('a template by its name', profile({ profile_template: 'web' }), [
    'profile.profile_template',
    /number/,
  ]),
  bad('a field twice', fields(PORTS, PORTS), ['profile.fields[1].base_field', /repeats field 3/]),
  bad('the removed key of a value', fields({ base_field: 3, value: '8080' }), [
    'profile.fields[0].value',
    /field_value only/,
  ]),
  bad('a hold without a unit', { holdFor: '2' }, ['holdFor', /unit/]),
  bad('no profile', { profile: undefined }, ['profile', /missing|object/]),
];

const IMPOSSIBLE: readonly BadInput[] = [
  bad('a region without protection', { regionId: 76 }, ['regionId', /no DDoS protection/]),
  bad('a region that refuses it', { regionId: 2 }, ['regionId', /not enabled/]),
  bad('an unknown template', profile({ ip_address: '203.0.113.99', profile_template: 99 }), [
    'profile.profile_template',
    /12 \(Web service\)/,
  ]),
  bad('a value that the template refuses', fields({ base_field: 3, field_value: [80] }), [
    'profile.fields[0].field_value[0]',
    /1000/,
  ]),
  bad('a field of another template', fields(PORTS, { base_field: 7, field_value: 1 }), [
    'profile.fields[1].base_field',
    /not a field of template 12/,
  ]),
  bad('a missing required field', fields(), ['profile.fields', /3 \(ports\)/]),
  bad('an address with two profiles', {}, ['profileId', /1, 2/]),
  bad('a profile of another address', { profileId: 9 }, ['profileId', /no profile 9/]),
  bad('a protection in an unknown project', { projectId: 99 }, ['projectId', /1, 2/]),
];

const provision = badInputsOf(
  'provisionInstance',
  provisionInput({ interfaces: [{ type: 'external' }] }),
);
const protect = { profile_template: 12, fields: [PORTS] };

/** Protections of instances that the run would create. */
const WITH_INSTANCE: readonly BadInput[] = [
  provision('a protection in a region without it', { protect, regionId: 76 }, [
    'protect',
    /no DDoS protection/,
  ]),
  provision('a protection by an unknown template', { protect: { profile_template: 99 } }, [
    'protect.profile_template',
    /13 \(Game server\)/,
  ]),
  provision('a protection without its required field', { protect: { profile_template: 12 } }, [
    'protect.fields',
    /3 \(ports\)/,
  ]),
];

export const BAD_PROTECT_INPUTS: readonly BadInput[] = [...BROKEN, ...IMPOSSIBLE, ...WITH_INSTANCE];

export const PROTECT_STATE = {
  ddosProfiles: stateWithProfiles([ADDRESS, ADDRESS]).ddosProfiles,
};
