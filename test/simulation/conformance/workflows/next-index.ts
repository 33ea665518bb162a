/** The workflows of a worker of the next version. */
export * from './activities.js';
export * from './basics.js';
export * from './chains.js';
export * from './children.js';
export * from './holding.js';
export * from './messages.js';
export * from './next-versions.js';
