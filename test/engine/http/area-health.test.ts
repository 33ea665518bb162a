import { describe, expect, it } from '@jest/globals';

import {
  afterCall,
  afterOutage,
  HEALTHY,
  isFresh,
  outScope,
  type AreaHealth,
} from '../../../src/engine/http/area-health.js';

const MANY = ['instances/1', 'volumes/1', 'flavors/1', 'images/1', 'networks/1'];
const MACHINES = ['instances/1/a', 'instances/1/b', 'instances/1/c'];

/** An area whose calls take a millisecond each, one after the other. */
function createArea(health: AreaHealth = HEALTHY) {
  const area = { health, now: 0 };
  const call = (resource: string, hasFailed: boolean, caller?: string): void => {
    const [collection = '', , id] = resource.split('/');
    const begunAt = (area.now += 1);
    const target = { resource, collection, isCollection: id === undefined };
    const outcome = { ...target, caller, begunAt, endedAt: begunAt, hasFailed };
    area.health = afterCall(area.health, outcome);
  };
  const scopeAt = (resource: string): string | undefined => {
    const [collection = ''] = resource.split('/');
    return outScope(area.health, { resource, collection }, { now: area.now })?.scope;
  };
  return {
    area,
    scopeAt,
    fail: (...resources: string[]) => {
      for (const resource of resources) call(resource, true);
    },
    answer: (resource: string) => {
      call(resource, false);
    },
    failFor: (caller: string, resource: string) => {
      call(resource, true, caller);
    },
  };
}

/** Repeats a list until it has so many items. */
function times<T>(count: number, items: readonly T[]): T[] {
  return Array.from({ length: count }, (_, index) => items[index % items.length]).flatMap(
    (item) => item ?? [],
  );
}

describe('an area', () => {
  it('is out after five failures of several resources and collections', () => {
    const { fail, scopeAt } = createArea();
    fail(...MANY.slice(0, 4));
    expect(scopeAt('images/1')).toBeUndefined();

    fail('networks/1');

    expect(scopeAt('networks/1')).toBe('area');
  });

  it('is not out, however often one collection fails', () => {
    const { fail, scopeAt } = createArea();

    fail(...times(100, MACHINES));

    expect(scopeAt('instances/1/a')).toBe('collection');
    expect(scopeAt('volumes/1')).toBeUndefined();
  });

  it('is not out, however often two resources fail', () => {
    const { fail, scopeAt } = createArea();

    fail(...times(100, ['instances/1/a', 'volumes/1/b']));

    expect(scopeAt('instances/1/a')).toBe('resource');
    expect(scopeAt('flavors/1')).toBeUndefined();
  });

  it('is not out while anything else in it is answered', () => {
    const { fail, answer, scopeAt } = createArea();

    for (const resource of times(100, MANY)) {
      fail(resource);
      answer('keypairs/1');
    }

    expect(scopeAt('instances/1')).toBe('collection');
  });

  it('is not out because of what failed before its last answer, and still fails', () => {
    const { fail, answer, scopeAt } = createArea();
    fail(...MANY.slice(0, 4));
    answer('keypairs/1');

    fail(...times(100, MANY.slice(0, 4)));

    expect(scopeAt('instances/1')).toBe('collection');
  });

  it('is not out because of what failed long ago', () => {
    const { area, fail, scopeAt } = createArea();
    fail(...MANY.slice(0, 4));
    area.now += 10 * 60_000;

    fail('networks/1');

    expect(scopeAt('networks/1')).toBeUndefined();
  });

  it('stays out when the answer to a call arrives that began before the failures', () => {
    const { area, fail, scopeAt } = createArea();
    area.now = 10;
    fail(...MANY);
    area.health = afterCall(area.health, {
      resource: 'instances/1',
      collection: 'instances',
      isCollection: true,
      hasFailed: false,
      begunAt: 1,
      endedAt: 20,
    });

    expect(scopeAt('instances/1')).toBe('area');
  });
});

describe('a collection', () => {
  it('is out when its list fails five times, because every run reads that one', () => {
    const { fail, scopeAt } = createArea();
    fail(...times(4, ['instances/1']));
    expect(scopeAt('instances/1')).toBeUndefined();

    fail('instances/1');

    expect(scopeAt('instances/1')).toBe('collection');
  });

  it('is not out while one of its things is answered', () => {
    const { fail, answer, scopeAt } = createArea();

    fail(...times(4, MACHINES));
    answer('instances/1/healthy');
    fail(...times(100, MACHINES));

    expect(scopeAt('instances/1/a')).toBe('resource');
  });
});

describe('after an outage', () => {
  it('what failed with the others is tried anew', () => {
    const { area, fail, answer, scopeAt } = createArea();
    fail(...times(50, MANY));
    answer('keypairs/1');
    area.health = afterOutage(area.health);

    fail('instances/1');

    expect(scopeAt('instances/1')).toBeUndefined();
  });

  it('what goes on failing is broken by itself: it opens nothing else a third time', () => {
    const { area, fail, answer, scopeAt } = createArea();
    const opened: unknown[] = [];
    for (let outage = 0; outage < 3; outage++) {
      fail(...times(10, MACHINES));
      opened.push(scopeAt('instances/1/a'));
      answer('instances/1');
      area.health = afterOutage(area.health, 'instances');
    }
    fail(...times(100, MACHINES));

    expect(opened.slice(0, 2)).toEqual(['collection', 'collection']);
    expect(scopeAt('instances/1/a')).toBe('resource');
  });

  it('a second one is recognised as fast as the first', () => {
    const { area, fail, answer, scopeAt } = createArea();
    fail(...times(50, MANY));
    answer('instances/1');
    area.health = afterOutage(area.health);

    fail(...MANY);

    expect(scopeAt('networks/1')).toBe('area');
  });
});

describe('a call', () => {
  it('is fresh where its resource has not failed', () => {
    const { area, fail } = createArea();
    fail('kv/1/a');

    expect(isFresh(area.health, { resource: 'kv/1/a' }, 'collection')).toBe(false);
    expect(isFresh(area.health, { resource: 'kv/1/b' }, 'collection')).toBe(true);
  });

  it('is fresh for a resource that has failed for other runs only', () => {
    const { area, failFor } = createArea();
    failFor('run-1', 'instances/1/a');
    const about = (caller: string) => ({ resource: 'instances/1/a', caller });

    expect(isFresh(area.health, about('run-1'), 'resource')).toBe(false);
    expect(isFresh(area.health, about('run-2'), 'resource')).toBe(true);
    expect(isFresh(area.health, about('run-2'), 'collection')).toBe(false);
  });

  it('is fresh for a list that has failed for other runs only', () => {
    const { area, failFor } = createArea();
    failFor('run-1', 'instances/1');
    const about = { resource: 'instances/1', caller: 'run-2' };

    expect(isFresh(area.health, about, 'collection')).toBe(true);
    expect(isFresh(area.health, about, 'area')).toBe(false);
  });
});

describe('what is kept', () => {
  it('has an end, however many resources fail', () => {
    const { area, fail } = createArea();

    fail(...Array.from({ length: 3_000 }, (_, index) => `tasks/${index}`));

    expect(area.health.failing.size).toBe(1_000);
    expect(area.health.failing.has('tasks/2999')).toBe(true);
  });
});
