export default function rest(paths: readonly string[]): { filtered: string[] };
