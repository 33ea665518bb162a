/**
 * Loaded before jest, in each of its processes: tests and sources are TypeScript, and tests import jest's functions by
 * their module.
 */
import * as nodeModule from 'node:module';

process.setSourceMapsEnabled(true);
if ('registerHooks' in nodeModule) {
  const { load, resolve } = await import('./typescript-hooks.js');
  nodeModule.registerHooks({ load, resolve });
} else {
  // Node 20 has hooks in a thread of their own only, and waits for it at each module.
  nodeModule.register('./typescript-hooks.js', import.meta.url);
}
