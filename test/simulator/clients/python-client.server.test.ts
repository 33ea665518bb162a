import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, it } from '@jest/globals';

import { createSimulator, DEFAULT_API_KEY } from '../../../src/simulator/create-simulator.js';
import { pythonWith } from '../../support/callers/install-callers.js';

const FOLDER = 'test/simulator/clients/python';

it('answers every method and parameter of the official Python client in the areas that it serves', async () => {
  const python = await pythonWith(`${FOLDER}/requirements.txt`);
  const { url, close } = await createSimulator({ timeScale: 0.0001 }).listen();

  const { stdout } = await promisify(execFile)(python, [
    `${FOLDER}/main.py`,
    url,
    DEFAULT_API_KEY,
  ]).finally(close);

  const { passed, ...report } = JSON.parse(stdout);
  expect(report).toEqual({ missing: [], failures: [] });
  expect(passed).toBeGreaterThan(0);
});
