/** Whether a host, as it stands in an address, is this machine. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|::1|localhost)$/i.test(host);
}

/** The host of an address with or without a port: `[::1]:7233` → `[::1]` */
export function hostOf(address: string): string {
  return address.replace(/:\d+$/, '');
}

/**
 * Writes an IP address in its one canonical form: `2001:DB8:0::1` → `2001:db8::1`. A network of one
 * address becomes that address. Any other text is only trimmed and put in lower case.
 */
export function canonicalAddress(text: string): string {
  const given = text.trim().toLowerCase();
  const ofOne = given.includes(':') ? '/128' : '/32';
  const address = given.endsWith(ofOne) ? given.slice(0, -ofOne.length) : given;
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return address;
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
