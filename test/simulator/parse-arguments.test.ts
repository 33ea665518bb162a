import { describe, expect, it } from '@jest/globals';

import { parseArguments, USAGE } from '../../src/simulator/parse-arguments.js';
import { openFactsSchema } from '../../src/simulator/state/open-facts.js';

describe('the command line of the simulator', () => {
  it('has a default for every option', () => {
    expect(parseArguments([])).toEqual({
      ok: true,
      value: {
        host: '127.0.0.1',
        port: 8081,
        'time-scale': 1,
        'api-key': 'simulator-key',
        seed: 1,
        fact: openFactsSchema.parse({}),
        fault: [],
      },
    });
  });

  it('accepts every option', () => {
    const argv = ['--host', '0.0.0.0', '--port=0', '--time-scale', '0.01', '--api-key', 'a$b'];
    const faults = ['--fault', 'outage', '--fault', 'slow-task'];
    const facts = ['--fact', 'sortsLists=true', '--fact', 'profileBirth=off'];
    const start = ['--seed', '7', '--state', 'cloud.json'];

    expect(parseArguments([...argv, ...faults, ...facts, ...start])).toEqual({
      ok: true,
      value: {
        host: '0.0.0.0',
        port: 0,
        'time-scale': 0.01,
        'api-key': 'a$b',
        seed: 7,
        state: 'cloud.json',
        fact: openFactsSchema.parse({ sortsLists: true, profileBirth: 'off' }),
        fault: ['outage', 'slow-task'],
      },
    });
  });

  it.each(['--help', '-h'])('asks for help with %s', (option) => {
    expect(parseArguments(['--port', '9', option])).toEqual({ ok: true, value: 'help' });
  });

  it('has a help that names each option', () => {
    const names = 'host port time-scale api-key seed state fact fault help'.split(' ');
    for (const option of names.map((name) => `--${name}`)) {
      expect(USAGE).toContain(option);
    }
  });

  it.each([
    [['--port', '70000'], 'port: must be at most 65535'],
    [['--port', '80a'], 'port: must be a whole number'],
    [['--time-scale', 'fast'], 'time-scale: must be a number'],
    [['--api-key', 'two words'], 'api-key: must be one word'],
    [['--fact', 'sorted=true'], 'sorted: is not a known field'],
    [['--fact', 'profileBirth=maybe'], 'profileBirth: must be one of on, off'],
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
