/** Seed data: where new storages can be made. */
export const STORAGE_LOCATIONS = [
  { name: 's-region-1', title: 'Luxembourg', tier: 'sftp' },
  { name: 's-region-2', title: 'Manassas', tier: 'sftp' },
  { name: 's-ed1', title: 'Luxembourg', tier: 'standard' },
  { name: 's-darz1', title: 'Darmstadt', tier: 'fast' },
].map((location) => ({
  ...location,
  type: location.tier === 'sftp' ? 'sftp' : 's3_compatible',
  technicalName: `tech-${location.name}`,
  address: `${location.name}.storage.example`,
}));
