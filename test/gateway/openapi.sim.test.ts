import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';

import { Operation } from '../../src/contract/index.js';
import { OPERATIONS } from '../../src/contract/operations/index.js';
import { at, bodyOf, gatewayOf, post } from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';

/** A plan that takes long is answered with the place of its result. */
async function planned(app: ReturnType<typeof gatewayOf>, operation: string, input: object) {
  let answer = await app.request(at(`/v1/plans/${operation}`), post(input));
  for (let tries = 0; answer.status === 202 && tries < 5; tries++) {
    answer = await app.request(at(`${answer.headers.get('location') ?? ''}?wait=50s`));
  }
  const body = await bodyOf(answer);
  // What a plan that took long has come to is the result of its run.
  const { plan = body } = z.looseObject({}).parse(body);
  return { status: answer.status, body: plan };
}

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 that another validator accepts, with every route', () =>
    inScenario({ replays: false }, async (scenario) => {
      const app = gatewayOf(scenario);
      const document = await bodyOf(await app.request(at('/openapi.json')));

      // The validator knows objects of its own realm only.
      const own = z.looseObject({}).parse(JSON.parse(JSON.stringify(document)));
      const validated = await new Validator().validate(own);

      expect(validated).toMatchObject({ valid: true });
      expect(document).toMatchObject({ openapi: '3.1.0' });
      const described = pathsOf(document);
      const served = app.routes
        .filter(({ path, method }) => path.startsWith('/v1/') && method !== 'ALL')
        .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
        .filter((path) => !/^\/v1\/(?:runs|plans)\/\{operation\}$/.test(path));
      expect(described.sort()).toEqual([...new Set(served)].sort());
    }));

  it('has an example for each operation, and every example plans', () =>
    inScenario({ replays: false }, async (scenario) => {
      const app = gatewayOf(scenario);
      const document = JSON.stringify(await bodyOf(await app.request(at('/openapi.json'))));

      const answers = await Promise.all(
        Object.values(Operation).map(async (operation) => {
          const body = { ...OPERATIONS[operation].example, account: scenario.account };
          return { operation, ...(await planned(app, operation, body)) };
        }),
      );

      expect(answers).toEqual(
        Object.values(Operation).map((operation) => ({
          operation,
          status: 200,
          body: expect.objectContaining({ operation }),
        })),
      );
      for (const { example } of Object.values(OPERATIONS)) {
        expect(document).toContain(JSON.stringify(example));
      }
    }));

  it('has examples that start runs', () =>
    inScenario({ replays: false }, async (scenario) => {
      const app = gatewayOf(scenario);
      const body = { ...OPERATIONS.listSshKeys.example, account: scenario.account };
      const key = { 'Idempotency-Key': 'keys-1' };

      const started = await app.request(at('/v1/runs/listSshKeys'), post(body, key));
      const path = at(`${started.headers.get('location') ?? ''}/result?wait=50s`);

      expect(await bodyOf(await app.request(path))).toMatchObject({ count: expect.any(Number) });
    }));
});

function pathsOf(document: unknown): string[] {
  return Object.keys(z.object({ paths: z.looseObject({}) }).parse(document).paths);
}

describe('/reference', () => {
  it('shows every route, runs no script and loads nothing from anywhere', () =>
    inScenario({ replays: false }, async (scenario) => {
      const app = gatewayOf(scenario);
      const answer = await app.request(at('/reference'));
      const page = await answer.text();
      const document = await bodyOf(await app.request(at('/openapi.json')));

      for (const path of pathsOf(document)) expect(page).toContain(path);
      expect(page).not.toMatch(
        /<script|<link|<img|<iframe|@import|url\(|https?:\/\/(?!files\.example)/,
      );
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'/,
      );
    }));
});
