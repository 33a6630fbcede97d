/** The page that says whom to ask. */
export interface HelpView {
  organizationName: string;
  /** Of whoever runs this server; null where they gave none. */
  supportEmail: string | null;
  /** Owners of the organization, the first ten. */
  owners: { name: string; email: string; isYou: boolean }[];
  /** Address of this server without its scheme. */
  hostName: string;
  /** Of what went wrong, where the reader came with one. */
  requestId: string | null;
  /** What runs here, as far as members may know it. */
  installation: {
    version: string;
    isSandbox: boolean;
    mailWay: "PROVIDER" | "MAILBOX" | "NONE";
    smsWay: "PROVIDER" | "MAILBOX" | "NONE";
  };
}
