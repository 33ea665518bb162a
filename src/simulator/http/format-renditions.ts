import type { VideoEntity } from '../state/rows.js';
import {
  durationMsOf,
  FETCHED_SHARE,
  progressOf,
  TRANSCODED_SHARE,
  videoStatus,
} from '../state/videos.js';
import type { World } from '../state/world.js';

/** Heights of the usual qualities and their bitrates in Kbps. No quality is above that of the file. */
const QUALITIES = [
  { height: 360, kbps: 800 },
  { height: 480, kbps: 1_400 },
  { height: 720, kbps: 2_800 },
  { height: 1080, kbps: 4_050 },
  { height: 2160, kbps: 12_000 },
] as const;

export function bitrateOf(height: number): number {
  return QUALITIES.find((quality) => quality.height >= height)?.kbps ?? 12_000;
}

/** Size of a file in bytes. */
export function bytesOf(height: number, durationMs: number): number {
  return Math.round((bitrateOf(height) * durationMs) / 8);
}

export function widthOf(height: number): number {
  return 2 * Math.round((height * 16) / 9 / 2);
}

/** Every quality that is made of the file. They are finished one after the other, the smallest first. */
export function formatRenditions(world: World, video: Readonly<VideoEntity>, base: string) {
  const { status } = videoStatus(world, video);
  if (status === 'empty' || status === 'new') return [];
  const heights = QUALITIES.map(({ height }) => height).filter(
    (height) => height <= video.origin.height,
  );
  return heights.map((height, index) => {
    const last = Math.max(1, heights.length - 1);
    const doneAt = TRANSCODED_SHARE + ((1 - TRANSCODED_SHARE) * index) / last;
    const state = stateOf(world, video, { index, doneAt });
    const isComplete = state.status === 'complete';
    return {
      id: Number(video.id) * 10 + index,
      name: `vod${height}n`,
      width: widthOf(height),
      height,
      size: isComplete ? bytesOf(height, durationMsOf(video)) : null,
      ...state,
      mp4_url: isComplete ? `${base}/${fileNameOf(video, height)}` : null,
    };
  });
}

function stateOf(
  world: World,
  video: Readonly<VideoEntity>,
  { index, doneAt }: { index: number; doneAt: number },
) {
  const { status, error } = videoStatus(world, video);
  // A video that stays viewable has its first quality.
  if (error !== null && (status === 'error' || index > 0)) {
    return { status: 'error' as const, progress: 0, error };
  }
  const share = (progressOf(world, video) - FETCHED_SHARE) / (doneAt - FETCHED_SHARE);
  const progress = Math.min(100, Math.floor(share * 100));
  const isComplete = progress === 100;
  return {
    status: isComplete ? ('complete' as const) : ('processing' as const),
    progress,
    error: null,
  };
}

/** `<quality and version>_<codec>_<bitrate>_<height>.mp4` */
function fileNameOf({ qualitySetId }: Readonly<VideoEntity>, height: number): string {
  return `qid${qualitySetId ?? 1}v1_h264_${bitrateOf(height)}_${height}.mp4`;
}
