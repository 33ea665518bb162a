import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import circus from 'jest-circus/runner';

import { setCurrentGlobals } from './current-globals.js';

const require = createRequire(import.meta.url);
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Jest's own runner of test files, with Node's loader of modules in place of jest's: that one loads each module anew for
 * each test file, which took half of the processor time of all tests. So the test files of a process share their modules.
 */
export default function runNatively(...args) {
  const [, , , runtime] = args;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => import(pathToFileURL(path).href);
  runtime.requireInternalModule = requireFresh;
  runtime.setGlobalsForRuntime = setCurrentGlobals;
  // Jest has installed its own reader of source maps, which knows none of what Node has loaded.
  delete Error.prepareStackTrace;
  return circus.default(...args);
}

/** Circus keeps the tests of a file in its module. */
function requireFresh(path) {
  Reflect.deleteProperty(require.cache, path);
  Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (key.description === 'JEST_STATE_SYMBOL') Reflect.deleteProperty(globalThis, key);
  }
  return require(path);
}
