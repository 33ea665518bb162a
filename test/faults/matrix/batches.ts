import type { MatrixKind } from '../../support/operations/matrix-operation.js';
import type { SeedPlan } from './plan-seed.js';

/** Seeds that share a world. */
export interface Batch {
  name: string;
  plans: SeedPlan[];
}

const MAX_BATCH_SIZE = 20;
/** The worker learns what the API allows the account, and would slow all runs of a world down. */
const RATE_LIMIT: MatrixKind = 'rate limit';

/** Its rows make each list of its world long. */
const CROWD: SeedPlan['cell']['under'] = 'crowd';

/** Seeds whose fault hits processes or a whole account need their own worlds. All other seeds may share one. */
export function batchesOf(plans: readonly SeedPlan[]): Batch[] {
  const groups = new Map<string, SeedPlan[]>();
  for (const plan of plans) {
    const name = worldOf(plan);
    groups.set(name, [...(groups.get(name) ?? []), plan]);
  }
  return [...groups].flatMap(([name, group]) => {
    const size = name === RATE_LIMIT || name === CROWD ? 1 : MAX_BATCH_SIZE;
    const count = Math.ceil(group.length / size);
    return Array.from({ length: count }, (_, index) => {
      const part = group.slice(index * size, (index + 1) * size);
      const seeds = part.map(({ seed }) => seed).join(', ');
      return { name: `${name}, seeds ${seeds}`, plans: part };
    });
  });
}

/** Seeds of one name may share a world. There, seeds that are struck in a call wait for each other. */
function worldOf({ cell: { kind, under }, struckIn, watched }: SeedPlan): string {
  const lists = under === undefined ? '' : ', lists lag';
  if (kind === RATE_LIMIT || under === CROWD) return under ?? kind;
  if (kind === 'worker killed' || kind === 'Temporal stopped') {
    return `${kind}${struckIn === undefined ? '' : ' in a call'}${lists}`;
  }
  return `calls fail${watched ? '' : ', no watcher'}${lists}`;
}
