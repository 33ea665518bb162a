import { currentGlobals } from './current-globals.js';

/** A function of the test file that runs now: jest makes new ones for each file, and this module is loaded once. */
function ofCurrentFile(name) {
  const current = () => currentGlobals()[name];
  return new Proxy(() => undefined, {
    apply: (_target, _self, args) => current()(...args),
    get: (_target, key) => current()[key],
  });
}

export const describe = ofCurrentFile('describe');
export const it = ofCurrentFile('it');
export const expect = ofCurrentFile('expect');
export const beforeAll = ofCurrentFile('beforeAll');
export const beforeEach = ofCurrentFile('beforeEach');
export const afterAll = ofCurrentFile('afterAll');
export const afterEach = ofCurrentFile('afterEach');
