export const PROMISED: readonly string[];
export function isPromised(path: string): boolean;
