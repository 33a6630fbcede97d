export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
}

/** What every message of an organization has in common. */
export interface MessageSetting {
  organizationName: string;
  /** IANA name; deadlines are told on its clocks. */
  timeZone: string;
  /** True until a bank for managed money is configured: every email then says that no real money moves. */
  isSandboxBank: boolean;
}
