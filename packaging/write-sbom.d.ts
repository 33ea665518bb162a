export interface Sbom {
  components: { 'bom-ref': string; purl: string; hashes?: { alg: string; content: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export function sbomOf(lock: { packages: Record<string, object> }): Sbom;
