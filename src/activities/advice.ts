import { GENERAL_ADVICE, type Advice } from '../engine/http/api-description.js';

/** What a person should do next, with the settings of this product. */
export const ADVICE: Advice = {
  ...GENERAL_ADVICE,
  Unauthorized:
    'Check the API key of the account (GCORE_API_KEY, GCORE_API_KEY_FILE or GCORE_ACCOUNTS_FILE): is it complete, not revoked, and allowed to do this? A new key in a key file is taken over within seconds. Keys may contain "$", which shells and .env files expand: put the key in single quotes or into a file.',
  CapacityUnavailable: 'Choose another flavor or region, or wait until there is capacity.',
  UnexpectedResponse:
    'The API answered in a form this version does not know. Check GCORE_BASE_URL and for a newer version.',
  ManifestUnreadable:
    'Restore the manifest to the state it had when the run began, or let the worker read it (GCORE_MANIFEST_ROOT, GCORE_MANIFEST_HOSTS).',
  DecryptionFailed:
    'Give the worker the key ring that the others have (GCORE_CODEC_KEYS_FILE): docs/secure.md.',
};
