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

export interface OutgoingSms {
  /** E.164, `+12125550131`. */
  to: string;
  text: string;
}

/** Sends a text message to one telephone. */
export interface SmsPort {
  /**
   * @returns the id under which the provider took it, null when it did not say
   * @throws MessageNotSent
   */
  send(sms: OutgoingSms): Promise<{ providerId: string | null }>;
}

/**
 * A provider did not take a message. Its sender asks one question: is there any use in trying again?
 *
 * Permanent: the recipient or the message itself was refused, or nothing is configured that could send it.
 * Temporary: everything else, a refused password too, since an operator who corrects it wants the waiting messages to
 * leave. After a timeout the message may have left all the same: better told twice than not at all.
 */
export class MessageNotSent extends Error {
  override readonly name = "MessageNotSent";

  /**
   * @param code of the provider (`550`, `21211`) or of the fault (`ETIMEDOUT`), for the record of the attempt
   * @param message may be shown to members: holds no secret and not the message's text
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
