import type { Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import type { Chaos, StrikeKind } from './chaos.js';
import type { WorkerProcess } from './machine-room.js';
import type { WorkerSettings } from './machine-room.js';
import type { Story } from './story.js';
import type { World } from './world.js';

export interface MishapOptions {
  world: Pick<World, 'room' | 'cut' | 'mend' | 'temporal'>;
  clock: Clock;
  chaos: Chaos;
  story: Story;
  settings: WorkerSettings;
}

/** What happens to processes. */
export interface Mishaps {
  /** An occasion at which something may happen to one of them. @param weight of the occasion */
  occasion(name: string, weight?: number): void;
  /** All processes run and reach everything, at least one. */
  mendAll(): void;
}

type Mishap = (worker: WorkerProcess, draw: Draw) => void;

const SECOND = 1_000;

export function createMishaps({ world, clock, chaos, story, settings }: MishapOptions): Mishaps {
  const { room, temporal } = world;
  const startIfNone = (): void => {
    if (room.running().length === 0) room.start(settings);
  };
  const later = (draw: Draw, mostMs: number, act: () => void): void => {
    clock.after(draw.number(500, mostMs), act);
  };
  const cutFrom =
    (from: 'API' | 'Temporal', mostMs: number): Mishap =>
    ({ process }, draw) => {
      story.tell(process.name, `is CUT OFF from ${from}`);
      world.cut(process, from);
      later(draw, mostMs, () => {
        story.tell(process.name, `reaches everything again`);
        world.mend(process);
      });
    };
  const mishaps = {
    'killed process': ({ process }, draw) => {
      const how = draw.chance(0.7) ? 'process' : 'machine';
      story.tell(process.name, how === 'process' ? 'is KILLED' : 'is GONE with its machine');
      process.kill(how);
      later(draw, 60 * SECOND, startIfNone);
    },
    'frozen process': ({ process }, draw) => {
      story.tell(process.name, 'STANDS STILL');
      process.freeze();
      later(draw, 180 * SECOND, () => {
        story.tell(process.name, 'goes on');
        process.wake();
      });
    },
    'cut from Temporal': cutFrom('Temporal', 120 * SECOND),
    'cut from the API': cutFrom('API', 600 * SECOND),
    'clock set': ({ process }, draw) => {
      process.clockAheadMs = draw.pick([-1, 1]) * draw.number(20 * SECOND, 600 * SECOND);
      const seconds = Math.round(process.clockAheadMs / SECOND);
      story.tell(process.name, `has its CLOCK SET to ${seconds} s ahead`);
    },
    'Temporal stands still': (_, draw) => {
      story.tell('Temporal', 'STANDS STILL');
      temporal.freeze();
      later(draw, draw.pick([20, 120, 1_200]) * SECOND, () => {
        story.tell('Temporal', 'goes on');
        temporal.wake();
        // Whoever began meanwhile could not connect.
        startIfNone();
      });
    },
    'deployed anew': (worker, draw) => {
      const watcher = draw.chance(0.7);
      const requestsPerSecond = draw.pick([2, 10, 50]);
      story.tell(
        worker.process.name,
        `is REPLACED by a process ${watcher ? 'with' : 'without'} a watcher`,
      );
      if (draw.chance(0.5)) room.start({ ...settings, watcher, requestsPerSecond });
      void worker.stop().then(startIfNone);
    },
  } satisfies Partial<Record<StrikeKind, Mishap>>;
  return {
    occasion(name, weight = 1) {
      for (const [kind, mishap] of entriesOf(mishaps)) {
        const draw = chaos.strikes(kind, name, weight);
        const running = room.running().filter(({ process }) => process.state === 'running');
        if (draw === undefined || running.length === 0) continue;
        const worker = draw.pick(running);
        clock.after(draw.number(0, 300), () => {
          if (worker.process.state === 'running') mishap(worker, draw);
        });
      }
    },
    mendAll() {
      for (const { process } of room.running()) {
        world.mend(process);
        process.wake();
      }
      temporal.wake();
      startIfNone();
    },
  };
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries<V>(record).flatMap(([key, value]) =>
    isKeyOf(record, key) ? [[key, value]] : [],
  );
}

function isKeyOf<K extends string>(record: Readonly<Record<K, unknown>>, key: string): key is K {
  return key in record;
}
