/**
 * Writes an IP address in its one canonical form: `2001:DB8:0::1` → `2001:db8::1`. A network of one
 * address becomes that address. Any other text is only trimmed and put in lower case.
 */
export function canonicalAddress(text: string): string {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^(?:(.*:.*)\/128|([^:]*)\/32)$/, '$1$2');
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return address;
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
