import type { VideoEntity } from '../state/rows.js';
import {
  durationMsOf,
  FETCHED_SHARE,
  TRANSCODED_SHARE,
  type VideoStatus,
} from '../state/videos.js';

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

/** How far the processing of a video is. */
interface Processing extends VideoStatus {
  share: number;
  base: string;
}

/** Every quality that is made of the file. They are finished one after the other, the smallest first. */
export function formatRenditions(video: Readonly<VideoEntity>, processing: Processing) {
  if (processing.status === 'empty' || processing.status === 'new') return [];
  const durationMs = durationMsOf(video);
  const heights = heightsOf(video);
  return heights.map((height, index) => {
    const last = Math.max(1, heights.length - 1);
    const doneAt = TRANSCODED_SHARE + ((1 - TRANSCODED_SHARE) * index) / last;
    const { status, progress, error } = stateOf(processing, { index, doneAt });
    const isComplete = status === 'complete';
    return {
      id: Number(video.id) * 10 + index,
      name: `vod${height}n`,
      width: widthOf(height),
      height,
      size: isComplete ? bytesOf(height, durationMs) : null,
      status,
      progress,
      error,
      mp4_url: isComplete ? `${processing.base}/${fileNameOf(video, height)}` : null,
    };
  });
}

function heightsOf({ origin }: Readonly<VideoEntity>): number[] {
  const [smallest, ...others] = QUALITIES;
  const fitting = others.map(({ height }) => height).filter((height) => height <= origin.height);
  return [Math.min(smallest.height, origin.height), ...fitting];
}

function stateOf(
  { status, error, share }: Processing,
  { index, doneAt }: { index: number; doneAt: number },
) {
  // A video that stays viewable has its first quality.
  if (error !== null && (status === 'error' || index > 0)) {
    return { status: 'error' as const, progress: 0, error };
  }
  const done = (share - FETCHED_SHARE) / (doneAt - FETCHED_SHARE);
  const progress = Math.min(100, Math.floor(done * 100));
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
