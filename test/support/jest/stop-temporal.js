import { removeTempFolder } from './own-temp-folder.js';

/** Ends what the global setup started; a server that was already running goes on. */
export default async function stopTemporal() {
  for (const stop of globalThis.stopHelpers ?? []) await stop();
  await globalThis.stopTemporal?.();
  removeTempFolder();
}
