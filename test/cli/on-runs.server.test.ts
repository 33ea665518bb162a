import { describe, expect, it } from '@jest/globals';

import type { CliWorld } from '../support/cli/cli-world.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { until } from '../support/timing/until.js';
import { openCli } from './open-cli.js';

let world: CliWorld;
const cli = openCli('all', (opened) => {
  world = opened;
});

/** Starts runs that no worker takes, and waits until a list knows them. */
async function start(...requestIds: string[]): Promise<string[]> {
  for (const requestId of requestIds) {
    await cli('provision', '--file', world.file, '--request-id', requestId, '--no-wait');
  }
  await until('the list knows them', async () => {
    const { stdout } = await cli('list', '--phase', 'running', '--limit', '100');
    return requestIds.every((requestId) => stdout.includes(requestId));
  });
  return requestIds.map((requestId) => `provision-instance/default/${requestId}`);
}

function query(prefix: string): string[] {
  return ['--query', `WorkflowId STARTS_WITH "provision-instance/default/${prefix}"`];
}

async function statesOf(prefix: string): Promise<string[]> {
  const { stdout } = await cli('list', '--limit', '100', '-o', 'json');
  const runs: unknown = JSON.parse(stdout);
  if (!Array.isArray(runs)) throw new TypeError('The list is no list.');
  return runs
    .map((run: unknown) => JSON.stringify(run))
    .filter((text) => text.includes(`default/${prefix}`))
    .map((text) => /"phase":"([a-z-]+)"/.exec(text)?.[1] ?? '');
}

describe('several runs', () => {
  it('are counted, shown and only then cancelled: exactly those of the list', async () => {
    const ids = await start('count-1', 'count-2', 'count-3');
    const questions: string[] = [];
    const ask = (answer: string) => (question: string) => {
      questions.push(question);
      return Promise.resolve(answer);
    };
    const refused = await runCaptured(['cancel', ...query('count-'), ...world.server], {
      ask: ask('n'),
    });
    const before = await statesOf('count-');
    const agreed = await runCaptured(['cancel', ...query('count-'), ...world.server], {
      ask: ask('y'),
    });
    await world.withWorker(() =>
      until('all are', async () => {
        const states = await statesOf('count-');
        return states.every((state) => state === 'cancelled');
      }),
    );

    expect(questions).toEqual(['Cancel 3 runs? [y/N] ', 'Cancel 3 runs? [y/N] ']);
    for (const id of ids) expect(refused.stderr).toContain(id);
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('Nothing was changed.');
    expect(before).toEqual(['running', 'running', 'running']);
    expect(agreed.exitCode).toBe(0);
    expect(agreed.stdout.trim().split('\n').sort()).toEqual(ids.map((id) => `asked  ${id}`));
  });

  it('need --yes without a terminal', async () => {
    const ids = await start('script-1', 'script-2');
    const refused = await cli('cancel', 'script-1', 'script-2');
    const agreed = await cli('cancel', 'script-1', 'script-2', 'script-1', '--yes', '-o', 'json');

    expect([refused.exitCode, refused.stdout]).toEqual([64, '']);
    expect(refused.stderr).toContain('This is about 2 runs, and there is no terminal to ask.');
    expect(agreed.exitCode).toBe(0);
    expect(JSON.parse(agreed.stdout)).toEqual(
      ids.map((workflowId) => ({ workflowId, outcome: 'asked' })),
    );
  });

  it('that do not all take it are named one by one, with another exit code', async () => {
    const [ended = '', open = ''] = await start('part-1', 'part-2');
    await world.withWorker(async () => {
      await cli('cancel', ended);
      await cli('result', ended);
    });
    await start('part-3');
    const some = await cli('cancel', 'part-1', 'part-3', '--yes');
    const none = await cli('abort', 'part-1', 'part-2', '--yes');

    expect(some.exitCode).toBe(3);
    expect(some.stdout).toBe(`failed  ${ended}\nasked   provision-instance/default/part-3\n`);
    expect(some.stderr).toContain('1 of 2 runs did not take "cancel".');
    expect(some.stderr).toMatch(new RegExp(`${ended} +The run .* has already ended`));
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain(open);
  });

  it('are left alone when one id is wrong, or an option is for one run', async () => {
    await start('wrong-1');
    const wrong = await cli('cancel', 'wrong-1', 'wrong-2', '--yes');
    const waited = await cli('cancel', 'wrong-1', 'wrong-3', '--wait', '--yes');

    expect([wrong.exitCode, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('There is no run "wrong-2"');
    expect(waited.exitCode).toBe(64);
    expect(waited.stderr).toContain('--wait is for a single run.');
    expect(await statesOf('wrong-')).toEqual(['running']);
  });

  it('that a query does not find, or a query that is none, change nothing', async () => {
    const none = await cli('pause', ...query('nobody-'), '--yes');
    const bad = await cli('pause', '--query', 'nonsense', '--yes');
    const both = await cli('pause', 'order-1', ...query('x'));
    const nothing = await cli('pause');

    expect(none).toMatchObject({ exitCode: 0 });
    expect(none.stderr).toContain('No run fits.');
    expect(bad.exitCode).toBe(64);
    expect(bad.stderr).toMatch(/query +is refused by the Temporal server: .*/);
    expect([both.exitCode, nothing.exitCode]).toEqual([64, 64]);
  });

  it('are paused and resumed together', async () => {
    world.simulator.faults.add({
      match: { method: 'POST', path: /\/instances\//, times: Infinity },
      action: {
        kind: 'status',
        status: 403,
        body: { exception_class: 'ForbiddenError', message: 'Not enough capacity' },
      },
    });
    const { paused, resumed } = await world.withWorker(async () => {
      await start('both-1', 'both-2');
      await until('both are blocked', async () => {
        const { stdout: one } = await cli('status', 'both-1', '-o', 'json');
        const { stdout: two } = await cli('status', 'both-2', '-o', 'json');
        return [one, two].every((text) => text.includes('"phase": "blocked"'));
      });
      return {
        paused: await cli('pause', ...query('both-'), '--yes'),
        resumed: await cli('resume', 'both-1', 'both-2', '--yes'),
      };
    });
    world.simulator.faults.clear();

    expect(paused.exitCode).toBe(0);
    expect(paused.stdout.match(/^asked/gm)).toHaveLength(2);
    expect(resumed.exitCode).toBe(0);
  });
});

describe('a list', () => {
  it('in a namespace without search attributes filters by what is known, and says what is not', async () => {
    await start('known-1');
    const byAccount = await cli('list', '--account', 'default', '--since', '1h', '-o', 'json');
    const otherAccount = await cli('list', '--account', 'blue', '-o', 'json');
    const other = await cli('list', '--operation', 'protect-ip', '-o', 'json');
    const blocked = await cli('list', '--phase', 'blocked', '--resource', 'x');

    expect(byAccount.stdout).toContain('known-1');
    expect([otherAccount.stdout, other.stdout]).toEqual(['[]\n', '[]\n']);
    expect(blocked.exitCode).toBe(64);
    expect(blocked.stderr).toMatch(/phase +needs the search attributes/);
    expect(blocked.stderr).toMatch(/resource +needs the search attributes/);
  });

  it('says that there are more, and has all of them as JSON', async () => {
    const ids = Array.from({ length: 22 }, (_, at) => `many-${at + 1}`);
    await start(...ids);
    const many = ['--search', 'many-'];
    const firsts = await cli('list', ...many);
    const exact = await cli('list', ...many, '--limit', '22');
    const fewer = await cli('list', ...many, '--limit', '3', '-o', 'json');
    const all = await cli('list', ...many, '-o', 'json');

    expect(firsts.stdout.trimEnd().split('\n')).toHaveLength(1 + 20);
    expect(firsts.stderr).toBe(
      'There are more than these 20 runs: --limit shows more, list --output json all.\n',
    );
    expect([exact.stdout.trimEnd().split('\n').length, exact.stderr]).toEqual([1 + 22, '']);
    expect(JSON.parse(fewer.stdout)).toHaveLength(3);
    expect(fewer.stderr).toContain('{"notice":"There are more than these 3 runs');
    expect(JSON.parse(all.stdout)).toHaveLength(22);
    expect(all.stderr).toBe('');
  });

  it('that is watched prints what changes until Ctrl-C', async () => {
    const interrupt = new AbortController();
    await start('watched-1');
    const watching = runCaptured(['list', '--watch', '-o', 'json', ...world.server], {
      interrupt,
      onStdout: (text) => {
        if (text.includes('watched-2')) interrupt.abort();
      },
    });
    await start('watched-2');
    const { exitCode, stdout } = await watching;

    expect(exitCode).toBe(0);
    expect(stdout.split('\n').filter((line) => line.includes('watched-1'))).toHaveLength(1);
  });
});
