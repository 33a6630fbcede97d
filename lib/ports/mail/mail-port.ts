export interface OutgoingMail {
  /** One bare address, `mara@example.com`. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Stable over retries (`<proposal>.<member>.asked`): mail systems show two deliveries with one id once. */
  messageId: string;
}

/** Sends email to one person. */
export interface MailPort {
  /**
   * @returns the id under which the provider took it, null when it did not say
   * @throws MessageNotSent
   */
  send(mail: OutgoingMail): Promise<{ providerId: string | null }>;
}
