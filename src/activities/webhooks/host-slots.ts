/** Limits how many calls go to one host at a time. */
export interface HostSlots {
  /** False: all slots of this host are taken. */
  take: (host: string) => boolean;
  free: (host: string) => void;
}

export function createHostSlots(perHost: number): HostSlots {
  const taken = new Map<string, number>();
  return {
    take(host) {
      const count = taken.get(host) ?? 0;
      if (count >= perHost) return false;
      taken.set(host, count + 1);
      return true;
    },
    free(host) {
      const count = (taken.get(host) ?? 0) - 1;
      if (count > 0) taken.set(host, count);
      else taken.delete(host);
    },
  };
}
