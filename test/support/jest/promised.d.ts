export const PROMISED: readonly string[];
export default function promised(paths: readonly string[]): { filtered: string[] };
