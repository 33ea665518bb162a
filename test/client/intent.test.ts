import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { differingPaths, digestIntent, hasIntent, INTENT_MEMO } from '../../src/client/intent.js';
import { intentOf } from '../../src/contract/intent.js';
import { Operation } from '../../src/contract/index.js';
import { protectInput } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { kvInput } from '../support/worlds/kv-stores.js';
import { leastCpuMs } from '../support/timing/least-cpu-ms.js';

const { provisionInstance, protectIp, modifyKvStore, importVideos } = Operation;
const VIDEOS = [{ name: 'a', origin_url: 'https://example.com/a.mp4' }];

function pathsBetween(operation: Operation, before: unknown, now: unknown): string[] {
  return differingPaths(intentOf(operation, before), intentOf(operation, now));
}

describe('two inputs are one intent', () => {
  it.each([
    ['the default account', { account: 'default' }],
    ['the defaults of the operation', { waitFor: 'active', onFailure: 'rollback' }],
    ['another patience', { onBlocked: 'fail', deadline: '1 hour' }],
    ['no plan', { planOnly: false }],
  ])('of an instance, when one writes out %s', (_what, written) => {
    const before = provisionInput();

    expect(pathsBetween(provisionInstance, before, { ...before, ...written })).toEqual([]);
  });

  it('of an import, with its defaults written out', () => {
    const written = { videos: VIDEOS, waitFor: 'viewable', tolerate: { count: 0 } };

    expect(pathsBetween(importVideos, { videos: VIDEOS }, written)).toEqual([]);
  });

  it('of a push, with its defaults written out', () => {
    const written = { ...kvInput(), verify: 'sample', force: false, chunkItems: 1_000 };

    expect(pathsBetween(modifyKvStore, kvInput(), written)).toEqual([]);
  });

  it('of a protection, with another spelling of the address and another hold', () => {
    const { profile } = protectInput();
    const before = protectInput({ profile: { ...profile, ip_address: '2001:db8::1' } });
    const other = { ...profile, ip_address: '2001:0DB8:0::1' };
    const now = protectInput({ profile: other, holdFor: '3 hours', active: true });

    expect(pathsBetween(protectIp, before, now)).toEqual([]);
  });
});

describe('two inputs are two intents', () => {
  it('that differ at these paths', () => {
    const before = provisionInput({ name: 'web-1' });
    const now = provisionInput({ name: 'web-2', flavor: 'g2-standard-4-8' }, { waitFor: 'task' });

    expect(
      pathsBetween(provisionInstance, before, { ...now, account: 'other', regionId: undefined }),
    ).toEqual(['account', 'waitFor', 'regionId', 'instance.flavor', 'instance.name']);
  });

  it('at a price of their bytes, however deep they differ', async () => {
    const nested = (text: string): unknown =>
      Array.from({ length: 80 }).reduce<unknown>((inner) => ({ a: inner }), text);
    const listOf = (end: string) =>
      Array.from({ length: 400 }, () => nested('x'.repeat(2_000) + end));
    const [before, now] = [{ items: listOf('a') }, { items: listOf('b') }];

    expect(differingPaths(before, now)).toHaveLength(20);
    expect(await leastCpuMs(500, () => differingPaths(before, now))).toBeLessThan(500);
  });

  it('at a price of their bytes, however long their names are', async () => {
    const callsWith = (value: number) =>
      Array.from({ length: 25 }, () => ({
        ['x'.repeat(25_000)]: Object.fromEntries(
          Array.from({ length: 1_500 }, (_, at) => [`k${at}`, value]),
        ),
      }));
    const [before, now] = [callsWith(1), callsWith(2)];

    expect(differingPaths(before, now)).toHaveLength(20);
    expect(await leastCpuMs(500, () => differingPaths(before, now))).toBeLessThan(500);
  });

  it('when a list is longer, or holds another item', () => {
    const before = { videos: VIDEOS };
    const [video] = VIDEOS;

    expect(pathsBetween(importVideos, before, { videos: [...VIDEOS, ...VIDEOS] })).toEqual([
      'videos[1]',
    ]);
    expect(pathsBetween(importVideos, before, { videos: [{ ...video, name: 'b' }] })).toEqual([
      'videos[0].name',
    ]);
  });

  it('when an address gets another profile, or is no longer to be active', () => {
    const { profile } = protectInput();
    const now = protectInput({ profile: { ...profile, profile_template: 99 }, active: false });

    expect(pathsBetween(protectIp, protectInput(), now).sort()).toEqual([
      'active',
      'profile.profile_template',
    ]);
  });

  it('when a client in another language has sent something else', () => {
    expect(pathsBetween(provisionInstance, 'rubbish', provisionInput())).not.toEqual([]);
  });
});

describe('differingPaths', () => {
  it('is empty only for equal values, and names no value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame = differingPaths(one, other).length === 0;

        expect(differingPaths(one, JSON.parse(JSON.stringify(one)))).toEqual([]);
        expect(isSame).toBe(differingPaths(other, one).length === 0);
      }),
    );
    expect(differingPaths({ password: 'hunter2' }, { password: 'other' })).toEqual(['password']);
    expect(differingPaths({ a: null }, {})).toEqual(['a']);
    expect(differingPaths({ a: [] }, { a: {} })).toEqual(['a']);
  });
});

describe('the digest of an intent', () => {
  const intent = intentOf(provisionInstance, provisionInput());

  it('is recognised, whatever the order of the keys', () => {
    const memo = { [INTENT_MEMO]: digestIntent(intent) };
    const turned = Object.fromEntries(Object.entries(intent).reverse());

    expect(hasIntent(memo, turned)).toBe(true);
    expect(hasIntent(memo, { ...intent, waitFor: 'task' })).toBe(false);
    expect(hasIntent({}, intent)).toBeUndefined();
    expect(hasIntent(undefined, intent)).toBeUndefined();
  });

  it('differs from run to run, so it does not tell which runs want the same', () => {
    expect(digestIntent(intent)).not.toBe(digestIntent(intent));
  });
});
