import { removeTempFolder } from './own-temp-folder.js';

/** Ends what the global setup started; a server that was already running goes on. */
export default async function stopTemporal() {
  await globalThis.stopReplays?.();
  await globalThis.stopTemporal?.();
  removeTempFolder();
}
