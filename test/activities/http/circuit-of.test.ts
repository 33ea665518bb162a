import { describe, expect, it } from '@jest/globals';

import { circuitOf } from '../../../src/activities/http/circuit-of.js';
import { paths } from '../../../src/contract/api/paths.js';

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
    expect(circuitOf(path)).toEqual({ area: 'cloud', region: 76 });
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
    expect(circuitOf(path)).toEqual({ area });
  });
});
