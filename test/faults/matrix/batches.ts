import type { SeedPlan } from './plan-seed.js';

/** Seeds that share a world. */
export interface Batch {
  name: string;
  plans: SeedPlan[];
}

const MOST_IN_A_BATCH = 20;

/** What is done to processes needs worlds of its own; all other faults may share one. */
export function batchesOf(plans: readonly SeedPlan[]): Batch[] {
  const groups = new Map<string, SeedPlan[]>();
  for (const plan of plans) {
    const name = worldOf(plan);
    groups.set(name, [...(groups.get(name) ?? []), plan]);
  }
  return [...groups].flatMap(([name, group]) => {
    const count = Math.ceil(group.length / MOST_IN_A_BATCH);
    return Array.from({ length: count }, (_, index) => {
      const part = group.slice(index * MOST_IN_A_BATCH, (index + 1) * MOST_IN_A_BATCH);
      const seeds = part.map(({ seed }) => seed).join(', ');
      return { name: `${name}, seeds ${seeds}`, plans: part };
    });
  });
}

/** Seeds of one name may share a world. Those that are struck in a call wait for each other there. */
function worldOf({ cell: { kind, under }, struckIn, watched }: SeedPlan): string {
  const lists = under === undefined ? '' : ', lists lag';
  if (kind === 'worker killed' || kind === 'Temporal stopped') {
    return `${kind}${struckIn === undefined ? '' : ' in a call'}${lists}`;
  }
  return `calls fail${watched ? '' : ', no watcher'}${lists}`;
}
