import { isPromised } from './promised.js';

/** A filter of jest, for `npm run test:rest`: what `npm test` leaves out. */
function rest(paths) {
  return { filtered: paths.filter((path) => !isPromised(path)) };
}

// Jest loads its filters with require, and calls what that returns.
export { rest as default, rest as 'module.exports' };
