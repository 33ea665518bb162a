import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import type { LocalStackOptions } from '../../src/dev/local-stack.js';
import { fakeStack } from '../support/cli/fake-stack.js';
import { runCaptured } from '../support/cli/run-captured.js';

/** Nothing listens there: a command that connects fails with another exit code than 64. */
const NOWHERE = ['--address', '127.0.0.1:1'];

const COMMANDS = [
  ...['provision', 'status', 'explain', 'watch', 'result', 'list'],
  ...['pause', 'resume', 'abort', 'cancel'],
  ...['worker', 'dev', 'demo'],
];

describe('the help', () => {
  it.each([[], ...COMMANDS.map((name) => [name])])('fits 80 columns: %s', async (...command) => {
    const { exitCode, stdout, stderr } = await runCaptured([...command, '--help']);

    expect(stdout).toContain('Usage: gcore-workflows');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect([exitCode, stderr]).toEqual([0, '']);
  });

  it('marks the options that a command needs', async () => {
    const { stdout } = await runCaptured(['delete', '--help']);

    expect(stdout).toMatch(/--volumes <WHICH> .*\(required\)$/m);
    expect(stdout).not.toMatch(/--project <ID> .*required/);
  });

  it('names every command and every exit code', async () => {
    const { stdout } = await runCaptured(['--help']);

    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    for (const code of [0, 1, 2, 3, 4, 64, 124, 130]) {
      expect(stdout).toMatch(new RegExp(`\\b${code} [a-zC-]`));
    }
  });
});

describe('bad usage', () => {
  it.each([
    ['an unknown command', ['provison']],
    ['an unknown option', ['list', '--limt', '3']],
    ['a missing id', ['status']],
    ['a missing file', ['provision']],
    ['a timeout that is not a number', ['watch', 'x', '--timeout', 'soon']],
    ['a timeout of 0', ['watch', 'x', '--timeout', '0', '--address', '127.0.0.1:1']],
    ['a limit of 0', ['list', '--limit', '0']],
    ['a request id with a space', ['provision', '-f', '-', '--request-id', 'a b']],
    ['an unknown urgency', ['provision', '-f', '-', '--urgency', 'high']],
    ['a missing id to resume', ['resume', '--input', '-']],
    ['an unknown form of output', ['list', '-o', 'yaml']],
    ['no command at all', []],
    ['an address with a scheme', ['list', '--address', 'http://localhost:7233']],
  ])('of %s ends with 64 and leaves stdout alone', async (_what, args) => {
    const { exitCode, stdout, stderr } = await runCaptured(args);

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).not.toBe('');
  });

  it('is JSON when JSON was asked for', async () => {
    const { stderr } = await runCaptured(['list', '--limit', 'x', '-o', 'json']);

    expect(JSON.parse(stderr)).toMatchObject({ error: { type: 'Usage' } });
  });
});

describe('provision', () => {
  it('lists every fault of the input before it connects', async () => {
    const stdin = JSON.stringify({
      projectId: '1',
      instance: { flavour: 'x', interfaces: [{ type: 'wifi' }], volumes: [] },
    });

    const { exitCode, stdout, stderr } = await runCaptured(['provision', '-f', '-', ...NOWHERE], {
      stdin,
    });

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['Error: InvalidInput: The input has 5 faults. Nothing was started or changed.'],
      ['projectId', 'must be a number'],
      ['instance.flavor', 'is missing'],
      [
        'instance.interfaces[0].type',
        '"type" must be one of external, subnet, any_subnet, reserved_fixed_ip',
      ],
      ['instance.volumes', 'needs at least one volume'],
      ['instance.flavour', 'is not a known field: check the spelling or remove it'],
      ['what to do', 'Correct them and run the command again.'],
      [''],
    ]);
  });

  it('gives a program the faults as JSON', async () => {
    const args = ['provision', '-f', '-', '-o', 'json', ...NOWHERE];

    const { exitCode, stderr } = await runCaptured(args, { stdin: '{"instance": 1}' });

    expect(exitCode).toBe(64);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        type: 'InvalidInput',
        faults: [{ path: 'instance', message: 'must be an object' }],
      },
    });
  });

  it('names the place of a JSON fault, and quotes nothing', async () => {
    const stdin = '{\n  "instance": {\n    "password": "hunter2",\n  }\n}';

    const { exitCode, stderr } = await runCaptured(['provision', '-f', '-'], { stdin });

    expect(exitCode).toBe(64);
    expect(stderr).toContain('stdin:4:3  expected a name in double quotes, found "}"');
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    ['in Latin-1', Buffer.from('{"value": "é"}', 'latin1'), 'stdin  is not UTF-8 from byte 12 on'],
    ['in UTF-16', Buffer.from('{"value": "é"}', 'utf16le'), 'stdin  is UTF-16 (little endian)'],
    ['with a name twice', Buffer.from('{"a": 1,\n"a": 2}'), 'stdin:2:1  a is there twice'],
    [
      'with half a surrogate pair',
      Buffer.from('[{"key": "\\ud800", "value": "v"}]'),
      'has half of a surrogate pair at character 1',
    ],
  ])('refuses an input %s: it would write something else', async (_what, stdin, fault) => {
    const args = ['kv-push', '-', '--store', '1', ...NOWHERE];

    const { exitCode, stderr } = await runCaptured(args, { stdin });

    expect(exitCode).toBe(64);
    expect(stderr).toContain(fault);
  });

  it('names the file that it cannot read, and the reason', async () => {
    const { exitCode, stderr } = await runCaptured(['provision', '-f', 'nowhere.json']);

    expect(exitCode).toBe(64);
    expect(stderr).toContain('nowhere.json  does not exist');
  });

  it('reads a file that begins with a byte order mark', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cli-'));
    const file = join(folder, 'input.json');
    await writeFile(file, '\uFEFF{}');

    const { stderr } = await runCaptured(['provision', '-f', file]);

    expect(stderr).toContain('instance  is missing');
    await rm(folder, { recursive: true });
  });
});

describe('resume', () => {
  it('names the place of a JSON fault before it connects', async () => {
    const args = ['resume', 'x', '--input', '-', ...NOWHERE];

    const { exitCode, stderr } = await runCaptured(args, { stdin: '{\n  "instance": \n}' });

    expect(exitCode).toBe(64);
    expect(stderr).toContain('stdin:3:1  expected a value, found "}"');
  });
});

describe('worker', () => {
  it('runs the worker of the chosen server until it is interrupted', async () => {
    const interrupt = new AbortController();
    const args = ['worker', '--address', '127.0.0.1:7299', '--namespace', 'blue'];
    let address: unknown;
    let namespace: unknown;

    const { exitCode, stderr } = await runCaptured(args, {
      interrupt,
      services: {
        runWorker({ temporal, writeLog, signal }) {
          address = temporal.connectionOptions.address;
          namespace = temporal.namespace;
          writeLog('{"message":"Worker is ready"}');
          interrupt.abort();
          return signal.aborted ? Promise.reject(new Error('aborted')) : Promise.resolve();
        },
      },
    });

    expect([exitCode, stderr]).toEqual([0, '{"message":"Worker is ready"}\n']);
    expect([address, namespace]).toEqual(['127.0.0.1:7299', 'blue']);
  });
});

describe('dev', () => {
  it('shows how to start a run, runs until Ctrl-C, and closes everything', async () => {
    const interrupt = new AbortController();
    const { stack, closed } = fakeStack({ address: '127.0.0.1:7233', namespace: 'default' });

    const { exitCode, stderr } = await runCaptured(['dev'], {
      interrupt,
      services: { startLocalStack: () => Promise.resolve(stack) },
      onStderr: (text) => {
        if (text.includes('Ctrl-C stops')) interrupt.abort();
      },
    });

    expect(stderr).toMatch(
      / {2}gcore-workflows provision --file \S*examples\/provision-instance.json --address 127.0.0.1:7233 --namespace default\n/,
    );
    expect([exitCode, closed()]).toEqual([0, 1]);
  });

  it('starts the simulated API with faults, and knows no other names', async () => {
    const { stack } = fakeStack({ address: '127.0.0.1:7233', namespace: 'default' });
    const interrupt = new AbortController();
    interrupt.abort();
    const asked: unknown[] = [];
    const services = {
      startLocalStack: (options: LocalStackOptions) => {
        asked.push(options.faults);
        return Promise.resolve(stack);
      },
    };

    await runCaptured(['dev', '--fault', 'lost-create', '--fault', 'quota'], {
      interrupt,
      services,
    });
    const wrong = await runCaptured(['dev', '--fault', 'earthquake'], { interrupt, services });

    expect(asked).toEqual([['lost-create', 'quota']]);
    expect(wrong.exitCode).toBe(64);
    expect(wrong.stderr).toContain(
      'There is no fault "earthquake". Faults: lost-create, task-error,',
    );
  });

  it('fails when its worker fails', async () => {
    const { exitCode, stderr } = await runCaptured(['dev'], {
      services: {
        startLocalStack: () => Promise.reject(new Error('Port 7233 of 127.0.0.1 cannot be used')),
      },
    });

    expect(exitCode).toBe(1);
    expect(stderr).toContain('Port 7233 of 127.0.0.1 cannot be used');
  });
});
