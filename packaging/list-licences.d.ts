export interface Licenced {
  name: string;
  version: string;
  licence: string;
}

export function licencesOf(lock: { packages: Record<string, object> }): Licenced[];
export function licenceFaults(packages: readonly Licenced[]): string[];
