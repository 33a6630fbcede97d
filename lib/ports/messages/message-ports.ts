export interface OutgoingMail {
  /** One bare address, `mara@example.com`. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Stable across retries (`<proposal>.<member>.asked`): mail systems show two deliveries with one id once. */
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

export interface OutgoingSms {
  /** E.164, `+12125550131`. */
  to: string;
  text: string;
}

/** Sends a text message to one phone number. */
export interface SmsPort {
  /**
   * @returns the id under which the provider took it, null when it did not say
   * @throws MessageNotSent
   */
  send(sms: OutgoingSms): Promise<{ providerId: string | null }>;
}

/**
 * A provider did not accept a message. Its sender asks one question: does trying again help?
 *
 * Permanent: the recipient or the message itself was refused, or nothing is configured to send it. Temporary:
 * everything else, including a refused password, since an operator who corrects it wants the waiting messages to leave.
 * After a timeout the message may have left anyway: twice is better than never.
 */
export class MessageNotSent extends Error {
  override readonly name = "MessageNotSent";

  /**
   * @param code of the provider (`550`, `21211`) or of the failure (`ETIMEDOUT`), for the record of the attempt
   * @param message may be shown to members: contains neither secrets nor the message's text
   */
  constructor(
    readonly kind: "PERMANENT" | "TEMPORARY",
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
