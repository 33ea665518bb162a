export { naiveProvision } from './naive-provision.js';
export { plainProvision } from './plain-provision.js';
