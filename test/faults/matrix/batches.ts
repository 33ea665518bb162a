import type { SeedPlan } from './plan-seed.js';

/** Seeds that share a world. */
export interface Batch {
  name: string;
  plans: SeedPlan[];
}

const MAX_BATCH_SIZE = 20;

/** Seeds whose fault hits processes need their own worlds. All other seeds may share one. */
export function batchesOf(plans: readonly SeedPlan[]): Batch[] {
  const groups = new Map<string, SeedPlan[]>();
  for (const plan of plans) {
    const name = worldOf(plan);
    groups.set(name, [...(groups.get(name) ?? []), plan]);
  }
  return [...groups].flatMap(([name, group]) => {
    const count = Math.ceil(group.length / MAX_BATCH_SIZE);
    return Array.from({ length: count }, (_, index) => {
      const part = group.slice(index * MAX_BATCH_SIZE, (index + 1) * MAX_BATCH_SIZE);
      const seeds = part.map(({ seed }) => seed).join(', ');
      return { name: `${name}, seeds ${seeds}`, plans: part };
    });
  });
}

/** Seeds of one name may share a world. There, seeds that are struck in a call wait for each other. */
function worldOf({ cell: { kind, under }, struckIn, watched }: SeedPlan): string {
  const lists = under === undefined ? '' : ', lists lag';
  if (kind === 'worker killed' || kind === 'Temporal stopped') {
    return `${kind}${struckIn === undefined ? '' : ' in a call'}${lists}`;
  }
  return `calls fail${watched ? '' : ', no watcher'}${lists}`;
}
