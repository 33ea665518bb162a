import { describe, expect, it } from '@jest/globals';

import { loadUploadLimits } from '../../src/config/upload-limits.js';

describe('the limits of uploaded lists', () => {
  it('are those of the client where nothing is set', () => {
    expect(loadUploadLimits({})).toEqual({});
    expect(loadUploadLimits({ GCORE_UPLOADS_LIST_MIB: '' })).toEqual({});
  });

  it('are set in mebibytes', () => {
    const limits = loadUploadLimits({
      GCORE_UPLOADS_LIST_MIB: '16',
      GCORE_UPLOADS_CALLER_MIB: '32',
      GCORE_UPLOADS_ACCOUNT_MIB: '4096',
      GCORE_UPLOADS_ACCOUNT_LISTS: '1000',
    });

    expect(limits).toEqual({
      listBytes: 16 * 1_024 ** 2,
      callerBytes: 32 * 1_024 ** 2,
      accountBytes: 4_096 * 1_024 ** 2,
      accountLists: 1_000,
    });
  });

  it.each([
    ['GCORE_UPLOADS_LIST_MIB', '65', 'must be a whole number from 1 to 64'],
    ['GCORE_UPLOADS_LIST_MIB', '0', 'must be a whole number from 1 to 64'],
    ['GCORE_UPLOADS_CALLER_MIB', '1.5', 'must be a whole number from 1 to 1048576'],
    ['GCORE_UPLOADS_ACCOUNT_MIB', '-1', 'must be a whole number from 1 to 1048576'],
    ['GCORE_UPLOADS_ACCOUNT_LISTS', '5001', 'must be a whole number from 1 to 5000'],
  ])('are refused where %s is %s', (name, value, fault) => {
    expect(() => loadUploadLimits({ [name]: value })).toThrow(`${name}: ${fault}`);
  });
});
