import type { DeleteInstanceInput } from '../../../src/contract/operations/types.js';
import { badInputsOf, type BadInput } from './bad-input.js';

const UNKNOWN_INSTANCE = '99999999-0000-4000-8000-000000000000';

const DELETE_INPUT: Omit<DeleteInstanceInput, 'account'> = {
  projectId: 1,
  regionId: 1,
  instanceId: UNKNOWN_INSTANCE,
  volumes: 'delete',
  floatingIps: 'delete',
};

const bad = badInputsOf('deleteInstance', DELETE_INPUT);

export const BAD_DELETE_INPUTS: readonly BadInput[] = [
  bad('neither an id nor a request', { instanceId: undefined }, ['instanceId', /exactly one/]),
  bad('both an id and a request', { madeBy: 'order-1' }, ['instanceId', /exactly one/]),
  bad('the name of an instance instead of its id', { instanceId: 'web-1' }, ['instanceId', /UUID/]),
  bad('no choice for the volumes', { volumes: undefined }, ['volumes', /is missing: choose/]),
  bad('no choice for the floating IPs', { floatingIps: undefined }, ['floatingIps', /is missing/]),
  bad('an unknown choice', { volumes: 'all' }, ['volumes', /"delete", "keep", or a list/]),
  bad('an empty list of volumes', { volumes: [] }, ['volumes', /must not be empty/]),
  bad('the address of a floating IP instead of its id', { floatingIps: ['203.0.113.7'] }, [
    'floatingIps[0]',
    /UUID/,
  ]),
  bad('a rollback of a deletion', { onFailure: 'rollback' }, ['onFailure', /not a known field/]),
  bad('an instance of an unknown project', { projectId: 99 }, ['projectId', /1, 2/]),
  bad('an instance of an unknown region', { regionId: 99 }, ['regionId', /1, 2, 76/]),
];
