import { z } from 'zod';

import {
  createSimulator,
  parseSimulatorState,
  type SimulatorState,
} from '../../../src/simulator/index.js';
import { createCloud } from './simulated-cloud.js';

export const VIDEOS_PATH = '/streaming/videos';
export const WEBVTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello';

const videoSchema = z.looseObject({
  id: z.number(),
  status: z.string(),
  origin_size: z.number().int().nullable(),
  screenshots: z.array(z.string()),
  converted_videos: z.array(
    z.looseObject({
      status: z.string(),
      progress: z.number().int(),
      height: z.number().int(),
      size: z.number().int().nullable(),
    }),
  ),
});

export const originUrl = (fate?: string) =>
  `https://files.example.test/a.mp4${fate === undefined ? '' : `?simulate=${fate}`}`;

/** A cloud with one video, whose id is 1. */
export async function createVideo(change: object = {}, options = {}) {
  const cloud = createCloud(options);
  const video = { name: 'a', origin_url: originUrl(), ...change };
  await cloud.send('POST', `${VIDEOS_PATH}/batch`, { videos: [video] });
  return cloud;
}

export type Cloud = ReturnType<typeof createCloud>;

export async function readVideo(cloud: Cloud, id = 1) {
  return videoSchema.parse((await cloud.send('GET', `${VIDEOS_PATH}/${id}`)).body);
}

/** The video when it has this status. */
export async function videoAt(cloud: Cloud, status: string) {
  for (let second = 0; second < 120; second++) {
    const video = await readVideo(cloud);
    if (video.status === status) return video;
    cloud.advance(1_000);
  }
  throw new Error(`The video is never ${status}`);
}

/** A cloud with the recording of stream 5, which was made at this time. */
export function stateWithRecording(createdAt: number, height = 720): SimulatorState {
  const state = createSimulator().snapshot();
  const video = {
    id: '1',
    slug: 'live',
    name: 'Recording',
    createdAt,
    listedAt: createdAt,
    endsAt: createdAt + 100_000,
    fate: 'ready',
    origin: { durationMs: 60_000, height },
    streamId: 5,
    recordType: 'origin',
    recordingStartedAt: createdAt - 3_600_000,
  };
  return parseSimulatorState({ ...state, videos: [video] });
}
