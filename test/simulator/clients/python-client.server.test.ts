import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, it } from '@jest/globals';
import { z } from 'zod';

import { createSimulator, DEFAULT_API_KEY } from '../../../src/simulator/create-simulator.js';
import { pythonWith } from '../../support/callers/install-callers.js';

const FOLDER = 'test/simulator/clients/python';
const run = promisify(execFile);

const reportSchema = z.object({
  passed: z.number(),
  missing: z.array(z.string()),
  failures: z.array(z.unknown()),
});

it('answers every method and parameter of the official Python client in the areas that it serves', async () => {
  const python = await pythonWith(`${FOLDER}/requirements.txt`);
  const api = await createSimulator({ timeScale: 0 }).listen();
  try {
    const { stdout } = await run(python, [`${FOLDER}/main.py`, api.url, DEFAULT_API_KEY]);

    const { passed, ...rest } = reportSchema.parse(JSON.parse(stdout));
    expect(rest).toEqual({ missing: [], failures: [] });
    expect(passed).toBeGreaterThan(100);
  } finally {
    await api.close();
  }
});
