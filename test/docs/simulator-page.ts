import { NAMED_FAULTS } from '../../src/simulator/faults/named-faults.js';
import { OPEN_FACTS } from '../../src/simulator/state/open-facts.js';
import { tableOf, withGeneratedParts, type Row } from './generated-part.js';

/** The switches of what no document says, and the faults that have names. */
export function simulatorPage(page: string): string {
  const facts = OPEN_FACTS.map(({ name, values, says, source }): Row => [
    `\`${name}\``,
    values.map((value) => `\`${value}\``).join(', '),
    says,
    source,
  ]);
  const faults = Object.entries(NAMED_FAULTS).map(([name, { says }]): Row => [`\`${name}\``, says]);
  return withGeneratedParts(
    page,
    tableOf([['Switch', 'Values, the default first', 'What it decides', 'Source'], ...facts]),
    tableOf([['Name', 'What happens'], ...faults]),
  );
}
