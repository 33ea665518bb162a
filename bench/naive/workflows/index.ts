export { naiveProvision } from './naive-provision.js';
export { plainProvision } from './plain-provision.js';
export { singleCall } from './single-call.js';
