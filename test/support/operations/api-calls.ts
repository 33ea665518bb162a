import type { SimulatorState } from '../../../src/simulator/index.js';
import { badInputsOf } from '../inputs/bad-input.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const VOLUMES_PATH = '/cloud/v1/volumes/1/1';
export const ONE_VOLUME = new RegExp(`^${VOLUMES_PATH}/0000000b-`);

/** @param of the number of a seed or of a request. An id that no other operation uses. */
export function renamedVolumeOf(of: number): string {
  return `0000000b-0000-4000-8000-${String(of).padStart(12, '0')}`;
}

export function renamedVolume(of: number): SimulatorState['volumes'][number] {
  const made = { createdAt: START, listedAt: START, creatorTaskId: null, taskId: null, tags: {} };
  const place = { projectId: 1, regionId: 1, instanceId: null, isRootVolume: false };
  const shown = {
    name: `seed-${of}`,
    status: 'available',
    size: 5,
    volumeType: 'standard',
  } as const;
  return { id: renamedVolumeOf(of), ...place, ...made, ...shown };
}

/** The input of a call that gives the volume another name. */
export function renaming(of: number) {
  const path = `${VOLUMES_PATH}/${renamedVolumeOf(of)}`;
  const name = `renamed-${of}`;
  const look = { path, pointer: '/name', equals: name };
  return { method: 'PATCH', path, body: { name }, look } as const;
}

const badCall = badInputsOf('callApi', renaming(7));

/** What a call of `callApi` may not be. */
export const BAD_CALLS = [
  badCall('a method that reads', { method: 'GET' }, ['method', /one of POST, PUT/]),
  badCall('a path outside of the cloud', { path: '/storage/v4/ssh_keys' }, [
    'path',
    /below \/cloud\/v1/,
  ]),
  badCall('a path that leads out of it', { path: '/cloud/v1/%2e%2e/x' }, ['path', /must be a/]),
  badCall('a secret in the body', { body: { admin: [{ userData: 'x' }] } }, [
    'body.admin[0].userData',
    /write \{ "\$secret": "name" \}/,
  ]),
  badCall('a secret with an odd name', { body: { a: { $secret: 'Hunter 2' } } }, [
    'body.a',
    /must be \{ "\$secret": "name" \}/,
  ]),
  badCall(
    'a secret by its name in a look',
    { look: { ...renaming(7).look, equals: { $secret: 'x' } } },
    ['look.equals', /may name no secret/],
  ),
  badCall('a body that is too long for a history', { body: { text: 'x'.repeat(65_536) } }, [
    'body',
    /at most 65536 bytes/,
  ]),
  badCall('a look without a value', { look: { path: '/cloud/v1/x', pointer: '/name' } }, [
    'look.equals',
    /is missing/,
  ]),
  badCall('a look for two things', { look: { ...renaming(7).look, gone: true } }, [
    'look.equals',
    /"gone": true alone/,
  ]),
  badCall(
    'a look at a secret',
    { look: { ...renaming(7).look, pointer: '/password', equals: true } },
    ['look.pointer', /leave it out of a query and of a look/],
  ),
  badCall('a pointer without a slash', { look: { ...renaming(7).look, pointer: 'name' } }, [
    'look.pointer',
    /JSON Pointer/,
  ]),
];
