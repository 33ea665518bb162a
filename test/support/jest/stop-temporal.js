import { removeTempFolder } from './own-temp-folder.js';

/** Stops everything that the global setup started. A server that was already running stays up. */
export default async function stopTemporal() {
  for (const stop of globalThis.stopHelpers ?? []) await stop();
  await globalThis.stopTemporal?.();
  removeTempFolder();
}
