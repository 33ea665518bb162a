export default function promised(paths: readonly string[]): { filtered: string[] };
