export { interceptors } from '../engine/run/interceptors.js';
