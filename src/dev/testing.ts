/**
 * For tests of workflows that use the operations of this package: a real Temporal server with the
 * search attributes, and the whole stack of `gcore-workflows dev`.
 */
export { FolderInUseError } from './folder-lock.js';
export { startLocalStack, type LocalStack, type LocalStackOptions } from './local-stack.js';
export {
  resolveTemporalExecutable,
  type TemporalExecutable,
  type TemporalExecutableOptions,
} from './temporal-executable.js';
export {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from './temporal-server.js';
