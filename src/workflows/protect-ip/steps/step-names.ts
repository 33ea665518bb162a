/** The steps of `protectIp`, as the status shows them. */
export const Step = {
  check: 'check protection',
  configure: 'configure profile',
  activate: 'activate profile',
  verify: 'verify protection',
  /** Only with `holdFor`. */
  hold: 'hold protection',
  /** Only with `holdFor`. */
  restore: 'restore profile',
} as const;
