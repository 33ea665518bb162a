/**
 * Loaded before jest, in each of its processes: tests and sources are TypeScript, and tests import jest's functions by
 * their module.
 */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiling takes a third of the processor time of a short run, and a part of each worker that a test starts: they inherit
// the folder. Node 20 knows no such thing.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../../../.cache/compiled', import.meta.url),
);
if ('enableCompileCache' in nodeModule)
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);

process.setSourceMapsEnabled(true);
if ('registerHooks' in nodeModule) {
  const { load, resolve } = await import('./typescript-hooks.js');
  nodeModule.registerHooks({ load, resolve });
} else {
  // Node 20 has hooks in a thread of their own only, and waits for it at each module.
  nodeModule.register('./typescript-hooks.js', import.meta.url);
}
