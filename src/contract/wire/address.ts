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
