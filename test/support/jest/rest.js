import { isPromised } from './promised-tests.js';

/** Jest's filter for `npm run test:rest`: the tests that `npm test` leaves out. */
function rest(paths) {
  return { filtered: paths.filter((path) => !isPromised(path)) };
}

// Jest calls the value that `require` returns for this file.
export { rest as default, rest as 'module.exports' };
