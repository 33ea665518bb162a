import { describe, expect, it } from '@jest/globals';

import { placeOf } from '../../../src/activities/gcore-api.js';
import { paths } from '../../../src/contract/wire/paths.js';

const PLACE = { projectId: 17, regionId: 76 };

describe('the circuit of a call', () => {
  it.each([
    ['an instance', paths.instance(PLACE, '0a1b')],
    ['a new instance', paths.createInstance(PLACE)],
    ['the limits', paths.checkLimits(PLACE)],
    ['a volume', paths.volume(PLACE, '42')],
    ['a floating IP', paths.floatingIp(PLACE, '0a1b')],
    ['a DDoS profile', paths.ddosProfileAction(PLACE, 4711)],
    ['the DDoS coverage', paths.ddosCoverage(76)],
    ['the DDoS accessibility', paths.ddosAccessibility(76)],
    ['the DDoS templates', paths.ddosTemplates(76)],
  ])('of %s is its region', (_title, path) => {
    expect(placeOf(path).circuit).toEqual({ area: 'cloud', region: 76 });
  });

  it.each([
    ['cloud', paths.tasks()],
    ['cloud', paths.task('76-1')],
    ['cloud', paths.regions()],
    ['cloud', paths.cloudSshKeys(17)],
    ['cloud', 'cloud/v1/tasks/1'],
    ['storage', paths.sftpStorage(76)],
    ['streaming', paths.videoBatch()],
    ['fastedge', paths.kvKey(5, '17/76')],
    ['', '/'],
  ])('is the area %s for %s', (area, path) => {
    expect(placeOf(path).circuit).toEqual({ area });
  });
});

describe('the resource of a call', () => {
  it.each([
    ['an instance', paths.instance(PLACE, '0a1b'), 'instances/17/0a1b'],
    ['a new instance', paths.createInstance(PLACE), 'instances/17'],
    ['the list of instances', paths.instances(PLACE), 'instances/17'],
    ['a floating IP', paths.floatingIp(PLACE, '0a1b'), 'floatingips/17/0a1b'],
    ['what a profile does', paths.ddosProfileAction(PLACE, 4711), 'ddos/profiles/17/4711'],
    ['the DDoS coverage', paths.ddosCoverage(76), 'ddos/region_coverage'],
    ['a task', paths.task('76-1'), 'tasks/76-1'],
    ['the list of tasks', paths.tasks(), 'tasks'],
    ['a key of a store', paths.kvKey(5, 'a/b'), 'kv/5'],
    ['a store', paths.kvStore(5), 'kv/5'],
    ['videos', paths.videos(), 'videos'],
    ['a batch of videos', paths.videoBatch(), 'videos/batch'],
  ])('is for %s: %s', (_title, path, resource) => {
    const [collection] = resource.split('/');

    expect(placeOf(path)).toMatchObject({ collection, resource });
  });
});
