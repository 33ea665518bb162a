import { InvalidArgumentError, Option } from 'commander';

import { FaultName, isFaultName, unknownFault } from '../../contract/wire/fault-names.js';

/** `--fault outage`, several times. */
export function faultOption(): Option {
  const names = Object.values(FaultName).join(', ');
  return new Option('--fault <NAME>', `a fault of the simulated API: ${names}; may be repeated`)
    .argParser(collectFault)
    .default([], 'none');
}

function collectFault(name: string, before: readonly FaultName[]): FaultName[] {
  if (isFaultName(name)) return [...before, name];
  throw new InvalidArgumentError(`${unknownFault(name)}.`);
}
