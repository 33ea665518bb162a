/**
 * One text for one IP address: `2001:DB8:0::1` → `2001:db8::1`, and a network of one address is
 * that address. Anything else is given back as it is, in lower case.
 */
export function canonicalAddress(text: string): string {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^(?:(.*:.*)\/128|([^:]*)\/32)$/, '$1$2');
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return address;
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
