/**
 * Loaded before jest, in each of its processes: tests and sources are TypeScript, and tests import jest's functions by
 * their module.
 */
import * as nodeModule from 'node:module';

import { load, resolve } from './typescript-hooks.js';

process.setSourceMapsEnabled(true);
if ('registerHooks' in nodeModule) {
  nodeModule.registerHooks({ load, resolve });
} else {
  // Node 20 has hooks in a thread of their own only, and waits for it at each module.
  nodeModule.register('./typescript-hooks.js', import.meta.url);
}
