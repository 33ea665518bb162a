/** The kind of an error and its stack. Its message may hold what the caller sent. */
export function placeOf({ name, stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line));
  return [name, ...frames.slice(0, 5).map((line) => line.trim())].join(' ');
}
