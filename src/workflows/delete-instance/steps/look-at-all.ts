import type { ExistingParts, PartIds } from '../../../activities/instance-parts.js';
import { ResourceKind, type Place } from '../../../contract/wire/names.js';
import { chunksOf } from '../../../engine/core/chunks.js';
import { Phase, type Resource } from '../../../engine/core/status.js';
import { lookUnpaused } from '../../../engine/run/look-unpaused.js';
import { isFresh, type Seen } from '../../../engine/run/read-times.js';
import type { DeleteRun, FoundInstance } from './delete-run.js';
import type { Deletion } from './deletions.js';

/** More than these are read in several activities: a history must stay small. */
const MOST_AT_ONCE = 50;

type Deletions = readonly Pick<Deletion, 'resource'>[];

/** Looks at what the run deletes. Nothing is read again that the last look has shown and that is fresh. */
export interface LookAtAll {
  at(deletions: Deletions): Promise<Seen<ExistingParts>>;
  /** What a watcher is to read once a task has ended; left out where that is too much. */
  after(deletions: Deletions): { partsOf: PartIds } | undefined;
  /** Notes what it has read. */
  note(deletions: Deletions, parts: ExistingParts | undefined): void;
  /** Call it when something may have changed: the next look reads. */
  forget(): void;
}

/** @param found what the first look has shown: the instance needs no new look while that is fresh. */
export function createLookAtAll(run: DeleteRun, found: FoundInstance): LookAtAll {
  const { place, instance, volumes: seen, floatingIps } = found;
  let last: (Seen<ExistingParts> & { ids: ReadonlySet<string> }) | undefined;
  const note = (ids: readonly string[], parts: ExistingParts, at: number | undefined): void => {
    last = at === undefined ? undefined : { state: parts, at, ids: new Set(ids) };
  };
  if (instance !== undefined) {
    const parts = { instance, volumes: seen?.volumes ?? [], floatingIps };
    const times = [instance, ...(seen === undefined ? [] : [seen])].map(
      (read) => run.api.times.at(read) ?? -Infinity,
    );
    // The floating IPs were listed between these reads.
    const ids = [instance.id, ...found.volumeIds, ...floatingIps.map(({ id }) => id)];
    note(ids, parts, Math.min(...times));
  }
  return {
    async at(deletions) {
      const resources = deletions.map(({ resource }) => resource);
      const isShown = last !== undefined && resources.every(({ id }) => last?.ids.has(id));
      const isPaused = run.ledger.document().phase === Phase.paused;
      if (last !== undefined && isShown && isFresh(last.at) && !isPaused) return last;
      const seen = await lookUnpaused(run, () => readAll(run, place, resources));
      note(idsOf(resources), seen.state, seen.at);
      return seen;
    },
    after(deletions) {
      if (deletions.length > MOST_AT_ONCE) return undefined;
      return {
        partsOf: toPartIds(
          place,
          deletions.map(({ resource }) => resource),
        ),
      };
    },
    note(deletions, parts) {
      if (parts === undefined) return;
      const ids = idsOf(deletions.map(({ resource }) => resource));
      note(ids, parts, run.api.times.at(parts));
    },
    forget() {
      last = undefined;
    },
  };
}

async function readAll(
  { api }: DeleteRun,
  place: Place,
  resources: readonly Resource[],
): Promise<ExistingParts> {
  const chunks = await Promise.all(
    chunksOf(resources, MOST_AT_ONCE).map((some) =>
      api.reads.listExistingParts(toPartIds(place, some)),
    ),
  );
  const [instance] = chunks.flatMap((chunk) => chunk.instance ?? []);
  return {
    ...(instance && { instance }),
    volumes: chunks.flatMap(({ volumes }) => volumes),
    floatingIps: chunks.flatMap(({ floatingIps }) => floatingIps),
  };
}

function idsOf(resources: readonly Resource[], kind?: string): string[] {
  return resources
    .filter((resource) => kind === undefined || resource.kind === kind)
    .map(({ id }) => id);
}

function toPartIds(place: Place, resources: readonly Resource[]): PartIds {
  const [instanceId] = idsOf(resources, ResourceKind.instance);
  return {
    ...place,
    ...(instanceId !== undefined && { instanceId }),
    volumeIds: idsOf(resources, ResourceKind.volume),
    floatingIpIds: idsOf(resources, ResourceKind.floatingIp),
  };
}
