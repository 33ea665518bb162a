import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createAttributes } from '../../support/cli/create-attributes.js';
import { createCliWorld, type CliWorld } from '../../support/cli/cli-world.js';
import { createGate } from '../../support/timing/gate.js';

/** The key that the simulated API takes. */
export const KEY = 'test-key';

interface DoctorWorlds {
  /** A namespace with search attributes and a worker. */
  healthy: CliWorld & { writeFile: (name: string, content: unknown) => string };
  /** A namespace with nothing. */
  bare: CliWorld;
}

let worlds: Promise<DoctorWorlds> | undefined;
let close = (): Promise<void> => Promise.resolve();

/** Opened once, by whoever needs them first: tests run beside each other. */
export const DOCTOR_WORLDS = {
  open(): Promise<DoctorWorlds> {
    worlds ??= openWorlds();
    return worlds;
  },
  close: () => close(),
};

async function openWorlds(): Promise<DoctorWorlds> {
  const [healthy, bare] = await Promise.all([createCliWorld(), createCliWorld()]);
  await createAttributes(healthy);
  const [opened, closing] = [createGate(), createGate()];
  const worker = healthy.withWorker(() => {
    opened.open();
    return closing.opened;
  });
  close = async () => {
    closing.open();
    await worker;
    await Promise.all([healthy.close(), bare.close()]);
  };
  await opened.opened;
  const writeFile = (name: string, content: unknown): string => {
    const path = join(healthy.folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  return { healthy: { ...healthy, writeFile }, bare };
}
