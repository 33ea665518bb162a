import type { Operations } from '../../src/contract/operations/index.js';
import type { SimulatorState } from '../../src/simulator/index.js';
import { provisionInput } from './provision-input.js';
import { manyKeys, stateWithKeys } from './ssh-keys.js';

/** An operation as the scaffolds of `test/steps` run it: a plain request that succeeds. */
export interface OperationCase<O extends keyof Operations = keyof Operations> {
  operation: O;
  /** @param name tells the things of one request from those of another. */
  input: (name: string) => Omit<Operations[O]['input'], 'account'>;
  /** How many instances one request makes; 0 where it only reads. */
  makes: 0 | 1;
  /** What there is from the start. */
  state?: SimulatorState;
}

/** Every operation belongs here: what each must survive is then tested without another line. */
export const OPERATION_CASES: readonly OperationCase[] = [
  {
    operation: 'provisionInstance',
    makes: 1,
    input: (name) =>
      provisionInput({
        name,
        interfaces: [
          {
            type: 'any_subnet',
            network_id: '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa',
            floating_ip: { source: 'new' },
          },
        ],
      }),
  },
  {
    operation: 'listSshKeys',
    makes: 0,
    // Three pages, so that there is a call before, between and after others.
    state: stateWithKeys(manyKeys(2_500)),
    input: () => ({}),
  },
];
