import { NAMED_FAULTS } from '../../src/simulator/faults/named-faults.js';
import { tableOf, withGeneratedPart, type Row } from './generated-part.js';

/** The faults that have names. */
export function simulatorPage(page: string): string {
  const rows = Object.entries(NAMED_FAULTS).map(([name, { says }]): Row => [`\`${name}\``, says]);
  return withGeneratedPart(page, tableOf([['Name', 'What happens'], ...rows]));
}
