export { provisionInstance } from './provision-instance.js';
