export interface AuditReport {
  auditReportVersion?: number;
  message?: string;
  error?: { summary?: string };
  vulnerabilities?: Record<
    string,
    {
      via: (
        string | { url: string; name: string; range: string; severity: string; title: string }
      )[];
    }
  >;
}

export interface Accepted {
  id: string;
  reason: string;
  /** The last day, as `2027-01-31`. */
  until: string;
}

export function judgeAdvisories(options: {
  product: AuditReport;
  all: AuditReport;
  accepted: readonly Accepted[];
  today: string;
}): { faults: string[]; unasked: string | undefined };
