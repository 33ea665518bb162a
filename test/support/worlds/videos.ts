import type { VideoItem } from '../../../src/contract/api/streaming.js';
import {
  createSimulator,
  type Simulator,
  type SimulatorState,
} from '../../../src/simulator/index.js';
import { videoEntitySchema } from '../../../src/simulator/state/video-entities.js';

export const VIDEOS_PATH = '/streaming/videos';
export const BATCH = { method: 'POST', path: `${VIDEOS_PATH}/batch` } as const;
export const VIDEO_LIST = { method: 'GET', path: VIDEOS_PATH } as const;

/** @param simulate the fate of the video in the simulator, such as `broken`. */
export function video(name: string, simulate?: string): VideoItem {
  const query = simulate === undefined ? '' : `?simulate=${simulate}`;
  return { name, origin_url: `https://files.example.test/${encodeURI(name)}.mp4${query}` };
}

/** `video-1`, `video-2` … */
export function manyVideos(count: number): VideoItem[] {
  return Array.from({ length: count }, (_, index) => video(`video-${index + 1}`));
}

/** Names that more than one video has, and wanted names that no video has. */
export function wrongly(simulator: Simulator, wanted: readonly VideoItem[]) {
  const counts = new Map<string, number>();
  for (const { name } of simulator.inventory().videos) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return {
    twice: [...counts].filter(([, count]) => count > 1).map(([name]) => name),
    lost: wanted.filter(({ name }) => !counts.has(name)).map(({ name }) => name),
  };
}

export const NOTHING_WRONG = { twice: [], lost: [] };

/** A video that is ready. Its name is `video-<id>` unless it has one. */
export interface SeededVideo {
  id: number;
  name?: string;
}

const START = Date.parse('2026-01-01T00:00:00Z');

/** A cloud with these videos. */
export function stateWithVideos(videos: readonly SeededVideo[]): SimulatorState {
  return {
    ...createSimulator().snapshot(),
    videos: videos.map(({ id, name = `video-${id}` }) =>
      videoEntitySchema.parse({
        id: String(id),
        slug: `slug${id}`,
        name,
        clientUserId: 42,
        createdAt: START,
        listedAt: START,
        endsAt: START,
        fate: 'ready',
      }),
    ),
  };
}
