/** Fields without which a run cannot go on, although the documents let them be missing or null. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  // Nothing else says whose protection it is, and a second profile must never be made.
  'GET /cloud/v1/ddos/profiles/…/…': ['results[].ip_address'],
  // What has no id can be neither named nor told from another.
  // Nor does anything else say where a video is.
  'GET /streaming/videos': [
    '[].id',
    '[].status',
    '[].converted_videos',
    '[].converted_videos[].status',
  ],
  'GET /streaming/videos/…': ['id'],
  'GET /streaming/videos/…/subtitles': ['[].id'],
  'GET /streaming/videos/…/subtitles/…': ['id'],
  'POST /streaming/videos/batch': ['[].id'],
};

/** Those in the answer to a call. */
export function neededIn(call: string): readonly string[] {
  return NEEDED[call] ?? [];
}

/** Whether a failure says that one of them is what an answer lacks. */
export function namesNeeded(message: string): boolean {
  const said = message.replaceAll(/\[\d+\]/g, '[]');
  const without = /answered without (.*?) of /.exec(said)?.[1]?.split(' and ') ?? [];
  return Object.values(NEEDED)
    .flat()
    .some((path) => without.includes(path) || said.includes(`characters): ${path}: `));
}
