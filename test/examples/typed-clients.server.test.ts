import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { serveGateway, type GatewayServer } from '../../src/gateway/serve-gateway.js';
import { gatewayOf } from '../support/gateway/gateway-world.js';
import { emptyFolder, runIn } from '../support/packaging/run-in.js';
import { inScenario } from '../support/runs/scenario.js';

const WITH_TYPES = `
import type { components, paths } from './gcore-workflows.js';

type Start = paths['/v1/runs/provisionInstance']['post'];
type Started = Start['responses']['202']['content']['application/json'];

export async function order(input: components['schemas']['ProvisionInstanceInput']): Promise<string> {
  const key: Start['parameters']['header'] = { 'Idempotency-Key': 'order-4711' };
  const answer = await fetch('http://127.0.0.1:8088/v1/runs/provisionInstance', {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
  const started: Started = JSON.parse(await answer.text());
  // @ts-expect-error The document names three outcomes.
  const isWrong = started.outcome === 'finished';
  return started.workflowId + String(isWrong);
}

export const bad: components['schemas']['ProvisionInstanceInput'] = {
  projectId: 1,
  regionId: 1,
  // @ts-expect-error A machine has a name, a flavor and more.
  instance: {},
};
`;

const IN_GO = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"gcore-workflows.example/typed/workflows"
)

func main() {
	gateway, err := workflows.NewClientWithResponses(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	order := &workflows.StartListSshKeysParams{IdempotencyKey: "order-4711"}
	input := workflows.ListSshKeysInput{Account: &os.Args[2]}
	answer, err := gateway.StartListSshKeysWithResponse(context.Background(), order, input)
	if err != nil || answer.JSON202 == nil {
		log.Fatal(err, string(answer.Body))
	}
	fmt.Println(answer.JSON202.Outcome)
}
`;

const GO_MODULE = `module gcore-workflows.example/typed

go 1.25.0

require github.com/oapi-codegen/runtime v1.8.0
`;
interface Caller {
  /** Where the client is made. */
  folder: string;
  gateway: GatewayServer;
  account: string;
}

function asCaller(use: (caller: Caller) => Promise<void>): Promise<void> {
  return inScenario({ replays: false }, async (scenario) => {
    const app = gatewayOf(scenario);
    const gateway = await serveGateway(app, { host: '127.0.0.1', port: 0 });
    try {
      await use({ folder: await emptyFolder(), gateway, account: scenario.account });
    } finally {
      await gateway.close();
    }
  });
}

/** Runs the command of docs/http.md that starts with these words, for the gateway of the test. */
async function runDocumented({ folder, gateway }: Caller, start: string): Promise<string> {
  const text = await readFile('docs/http.md', 'utf8');
  const command = text.split('\n').find((line) => line.startsWith(start));
  if (command === undefined) throw new Error(`docs/http.md shows no command with ${start}.`);
  const line = command.replace('http://127.0.0.1:8088', gateway.url);
  const { code, stderr } = await runIn(folder, 'sh', ['-c', line]);
  return code === 0 ? '' : stderr;
}

describe('a typed client by one documented command', () => {
  it('for TypeScript knows the paths, the inputs and the answers', () =>
    asCaller(async (caller) => {
      const { folder } = caller;
      const fault = await runDocumented(caller, 'npx --yes openapi-typescript');
      await writeFile(join(folder, 'order.ts'), WITH_TYPES);
      const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'node20', 'order.ts'];

      const tsc = resolve('node_modules/typescript-7/bin/tsc');
      const { code, stdout } = await runIn(folder, tsc, flags);

      expect([fault, code, stdout]).toEqual(['', 0, '']);
    }));

  it('for Go compiles, and starts a run once', () =>
    asCaller(async (caller) => {
      const { folder, gateway, account } = caller;
      await mkdir(join(folder, 'workflows'));
      const fault = await runDocumented(caller, 'go run ');
      await writeFile(join(folder, 'go.mod'), GO_MODULE);
      await writeFile(join(folder, 'main.go'), IN_GO);
      const tidied = await runIn(folder, 'go', ['mod', 'tidy']);
      const start = ['run', '.', gateway.url, account];

      const ended = [await runIn(folder, 'go', start), await runIn(folder, 'go', start)];

      expect([fault, tidied.code === 0 ? '' : tidied.stderr]).toEqual(['', '']);
      expect(ended.map(({ stdout, stderr }) => stdout || stderr)).toEqual([
        'started\n',
        expect.stringMatching(/^(joined|succeeded-before)\n$/),
      ]);
    }));
});
