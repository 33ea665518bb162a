const KEY = Symbol.for('gcore-workflows.jest-globals');

/** `describe`, `it` and the others of the test file that runs. Jest loads this file, and so do tests. */
export function currentGlobals() {
  return globalThis[KEY];
}

export function setCurrentGlobals(globals) {
  globalThis[KEY] = globals;
}
