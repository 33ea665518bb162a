import type { z } from 'zod';

/** Hosts of a comma-separated list. */
export function toHosts(text: string): string[] {
  return text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
}

/** A fault names the place of an entry, because a wrong entry may be a URL with credentials. */
export function checkHosts(hosts: readonly string[], context: z.RefinementCtx): void {
  const invalid = hosts.flatMap((host, at) => (isHost(host) ? [] : [describeHost(host, at + 1)]));
  if (invalid.length === 0) return;
  const message = `must be a comma-separated list of hosts, with a port unless it is 443; these are not hosts: ${invalid.join(', ')}`;
  context.addIssue({ code: 'custom', message });
}

function isHost(host: string): boolean {
  return URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host;
}

function describeHost(entry: string, number: number): string {
  const isHarmless = /^(?:https?:\/\/)?[a-z0-9.:-]+\/?$/.test(entry);
  return isHarmless ? entry : `entry ${number}`;
}
