export { removeTempFolder as default } from './own-temp-folder.js';
