import { describe, expect, it } from '@jest/globals';

import { runCaptured } from '../../support/cli/run-captured.js';

const NOWHERE = ['--address', '127.0.0.1:1'];

describe('schedule', () => {
  it('lists every fault of the schedule and its input before it connects', async () => {
    const options = ['--at', '25:00', '--zone', 'Mars', '--overlap', 'kill', '--catch-up', '1'];
    const args = ['schedule', 'create', 'a b', 'modifyKvStore', '-', ...options, ...NOWHERE];

    const { exitCode, stdout, stderr } = await runCaptured(args, { stdin: '{"storeId": 0}' });

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr.split('\n').map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      'Error: InvalidInput: The input has 7 faults. Nothing was started or changed.',
      ...['scheduleId', 'zone', 'at', 'overlap', 'catchUp', 'storeId', 'items'],
      'what to do',
      '',
    ]);
  });

  it.each([
    ['without a command', []],
    ['with an unknown command', ['creat']],
    ['with an unknown operation', ['create', 'x', 'modifyKv', '-', '--every', '6h']],
    ['without a file', ['create', 'x', 'modifyKvStore', '--every', '6h']],
    ['with an unknown option', ['create', 'x', 'modifyKvStore', '-', '--evry', '6h']],
    ['to show without an id', ['show']],
  ])('%s ends with 64', async (_what, args) => {
    const { exitCode, stdout, stderr } = await runCaptured(['schedule', ...args, ...NOWHERE]);

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).not.toBe('');
  });

  it.each([[], ['create'], ['list'], ['show'], ['pause'], ['resume'], ['trigger'], ['delete']])(
    'has help that fits 80 columns: %s',
    async (...command) => {
      const { exitCode, stdout } = await runCaptured(['schedule', ...command, '--help']);

      expect(exitCode).toBe(0);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );
});
