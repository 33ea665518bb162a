import { describe, expect, it } from '@jest/globals';

import { parseArguments, USAGE } from '../../src/simulator/parse-arguments.js';

describe('the command line of the simulator', () => {
  it('has a default for every option', () => {
    expect(parseArguments([])).toEqual({
      ok: true,
      value: {
        host: '127.0.0.1',
        port: 8081,
        'time-scale': 1,
        'api-key': 'simulator-key',
        fault: [],
      },
    });
  });

  it('accepts every option', () => {
    const argv = ['--host', '0.0.0.0', '--port=0', '--time-scale', '0.01', '--api-key', 'a$b'];
    const faults = ['--fault', 'outage', '--fault', 'slow-task'];

    expect(parseArguments([...argv, ...faults])).toEqual({
      ok: true,
      value: {
        host: '0.0.0.0',
        port: 0,
        'time-scale': 0.01,
        'api-key': 'a$b',
        fault: ['outage', 'slow-task'],
      },
    });
  });

  it.each(['--help', '-h'])('asks for help with %s', (option) => {
    expect(parseArguments(['--port', '9', option])).toEqual({ ok: true, value: 'help' });
  });

  it('has a help that names each option', () => {
    for (const option of ['--host', '--port', '--time-scale', '--api-key', '--fault', '--help']) {
      expect(USAGE).toContain(option);
    }
  });

  it.each([
    [['--port', '70000'], 'port: must be at most 65535'],
    [['--port', '80a'], 'port: must be a whole number'],
    [['--time-scale', 'fast'], 'time-scale: must be a number'],
    [['--api-key', 'two words'], 'api-key: must be one word'],
    [['--fault', 'flood'], 'fault[0]: There is no fault "flood". Faults: lost-create,'],
    [['--speed', '2'], "Unknown option '--speed'"],
    [['--port'], "Option '--port <value>' argument missing"],
    [['extra'], 'Unexpected argument'],
  ])('refuses %j and says why', (argv, message) => {
    expect(parseArguments(argv)).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    });
  });
});
