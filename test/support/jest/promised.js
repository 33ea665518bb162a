import { isPromised } from './promised-tests.js';

/** Jest's filter for `npm test`. */
function promised(paths) {
  return { filtered: paths.filter(isPromised) };
}

// Jest calls the value that `require` returns for this file.
export { promised as default, promised as 'module.exports' };
