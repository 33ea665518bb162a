import { describe, expect, it } from '@jest/globals';

import { emptyState } from '../../../src/simulator/index.js';
import { createDraw } from '../time/draw.js';
import { drawActor } from './actors.js';
import type { Action } from './scene.js';
import { sendAction } from './send-action.js';
import { createStory } from '../world/story.js';
import {
  given,
  givenInstance,
  givenStores,
  inApiWorld,
  KEYS,
  STORES,
  VOLUMES,
  volumeBody,
  type ApiWorld,
} from './support/api-world.js';

const CALM = { odds: {} };
const SEEDS = Array.from({ length: 400 }, (_, index) => index + 1);

/** One of each kind, and none of them busy. */
async function givenAll(world: ApiWorld): Promise<void> {
  await givenInstance(world);
  await given(world, `POST ${VOLUMES}`, volumeBody);
  await given(world, `POST ${VOLUMES}`, { ...volumeBody, name: 'other' });
  await given(world, 'POST /cloud/v1/floatingips/1/1', {});
  await given(world, 'POST /cloud/v1/ddos/profiles/1/1', {
    ip_address: '192.0.2.7',
    profile_template: 13,
  });
  await givenStores(world, ['store-a']);
  const [store] = world.simulator.snapshot().kvStores;
  await given(world, `PUT ${STORES}/${store?.id ?? ''}/data`, [
    { op: 'add', key: 'k', datatype: 'kv', payload: { value: 'v', encoding: 'plain' } },
  ]);
  const key = await given(world, `POST ${KEYS}`, {
    name: 'key-a',
    public_key: 'ssh-ed25519 AAAA',
  });
  await given(world, `POST ${KEYS}`, { name: 'key-b', public_key: 'ssh-ed25519 AAAB' });
  await given(world, 'POST /storage/v4/sftp_storages', {
    location_name: 's-region-1',
    name: 'files',
    password_mode: 'none',
    ssh_key_ids: [key['id']],
  });
  await given(world, 'POST /streaming/videos', { video: { name: 'film' } });
  await world.pass(60_000);
  const [volume] = world.simulator.snapshot().volumes.filter(({ instanceId }) => !instanceId);
  await given(world, 'POST /cloud/v1/snapshots/1/1', { name: 'snap', volume_id: volume?.id });
  await world.pass(60_000);
}

const keyOf = ({ method, path }: Action) =>
  `${method} ${path.replace(/\?.*/, '').replaceAll(/\/(?:\d+|[\da-f-]{36})(?=\/|$)/g, '/…')}`;

describe('somebody else', () => {
  it('does everything that people do in the console', async () => {
    const actions = await inApiWorld(CALM, async (world) => {
      await givenAll(world);
      const state = world.simulator.snapshot();
      const names = ['new-one'];
      return SEEDS.map((seed) => drawActor({ draw: createDraw(seed), state, names }));
    });

    expect(new Set(actions.flatMap((action) => action ?? []).map(keyOf))).toEqual(
      new Set([
        'DELETE /cloud/v1/instances/…/…/…',
        'DELETE /cloud/v1/volumes/…/…/…',
        'DELETE /cloud/v1/snapshots/…/…/…',
        'DELETE /cloud/v1/floatingips/…/…/…',
        'DELETE /cloud/v1/ddos/profiles/…/…/…',
        'PATCH /cloud/v1/instances/…/…/…',
        'PATCH /cloud/v1/volumes/…/…/…',
        'POST /cloud/v2/volumes/…/…/…/attach',
        'PATCH /cloud/v2/floatingips/…/…/…',
        'POST /cloud/v2/instances/…/…/…/action',
        'POST /cloud/v1/volumes/…/…',
        'POST /cloud/v1/snapshots/…/…',
        'POST /cloud/v2/instances/…/…',
        'DELETE /storage/v4/ssh_keys/…',
        'DELETE /storage/v4/sftp_storages/…',
        'DELETE /fastedge/v1/kv/…',
        'DELETE /streaming/videos/…',
        'PATCH /streaming/videos/…',
        'PUT /fastedge/v1/kv/…',
        'POST /storage/v4/ssh_keys',
        'PATCH /storage/v4/sftp_storages/…',
        'POST /storage/v4/sftp_storages',
        'POST /fastedge/v1/kv',
        'POST /streaming/videos',
        'PUT /fastedge/v1/kv/…/data',
      ]),
    );
  });

  it('makes calls that the API takes', async () => {
    const { statuses, actors } = await inApiWorld(CALM, async (world) => {
      await givenAll(world);
      const before = world.simulator.snapshot();
      const statuses = new Map<string, number>();
      const actors = new Set<string | undefined>();
      for (const seed of SEEDS) {
        world.simulator.restore(before);
        const action = drawActor({ draw: createDraw(seed), state: before, names: ['new-one'] });
        if (action === undefined) continue;
        const story = createStory(world.clock);
        const onCall = ({ actor }: { actor: string | undefined }) => actors.add(actor);
        const parts = { ...world, story, actor: 'console', onCall };
        const status = await world.until(sendAction(parts, action));
        if (status >= 300) statuses.set(`${keyOf(action)} ${action.says}`, status);
      }
      return { statuses, actors };
    });

    // The same name, or the same key, may be refused.
    expect([...statuses].filter(([, status]) => status !== 409)).toEqual([]);
    expect(actors).toEqual(new Set(['console']));
  });

  it('detaches what is attached', async () => {
    const action = await inApiWorld(CALM, async (world) => {
      const { id } = await givenInstance(world);
      await given(world, `POST ${VOLUMES}`, { ...volumeBody, instance_id_to_attach_to: id });
      await world.pass(60_000);
      const state = world.simulator.snapshot();
      const drawn = SEEDS.map((seed) => drawActor({ draw: createDraw(seed), state }));
      return drawn.find((action) => action?.path.endsWith('/detach'));
    });

    expect(action).toMatchObject({ method: 'POST', says: 'detaches the volume data' });
  });

  it('mostly does something to what the runs work on', async () => {
    const { ours, all } = await inApiWorld(CALM, async (world) => {
      await givenAll(world);
      await givenStores(world, ['x', 'y', 'z']);
      const state = world.simulator.snapshot();
      const id = state.kvStores.find(({ name }) => name === 'store-a')?.id ?? '';
      const touched = new Set([id]);
      const drawn = SEEDS.map((seed) => drawActor({ draw: createDraw(seed), state, touched }));
      const ours = drawn.filter((action) => action?.path.startsWith(`${STORES}/${id}`));
      return { ours: ours.length, all: drawn.length };
    });

    expect(ours / all).toBeGreaterThan(0.6);
    expect(ours / all).toBeLessThan(0.85);
  });

  it('takes names and addresses of the requests', () => {
    const [names, addresses, state] = [['the-wanted'], ['192.0.2.9'], emptyState()];
    const said = SEEDS.map((seed) => {
      const action = drawActor({ draw: createDraw(seed), state, names, addresses });
      return action?.says;
    });

    expect(said).toContain('makes a KV store called the-wanted');
    expect(said).toContain('makes a DDoS profile for 192.0.2.9');
  });
});
