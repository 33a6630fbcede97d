import { NamedError } from "@/lib/contract/error";
import type { PushSubscriptionFacts } from "@/lib/contract/notifications";

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

export interface OutgoingPush {
  subscription: PushSubscriptionFacts;
  /** At most 3,993 bytes. Encrypted for the device: the push service cannot read it. */
  payload: string;
  /** How long the push service keeps it for a device that is offline. */
  keepSeconds: number;
  isUrgent: boolean;
  /** Replaces an undelivered notification with the same: at most 32 letters of base64url. */
  topic: string;
}

/** The `code` of a subscription that its push service no longer has. */
export const SUBSCRIPTION_ENDED = "SUBSCRIPTION_ENDED";

/** Sends notifications to browsers and installed apps. */
export interface PushPort {
  /** What browsers subscribe with, so that only this server can send to them: base64url. */
  publicKey: string;
  /**
   * Whether a subscription may be saved: its endpoint is an address that anyone could have made up.
   * @returns null, or a sentence for the member
   */
  check(subscription: PushSubscriptionFacts): Promise<string | null>;
  /** @throws MessageNotSent, with `SUBSCRIPTION_ENDED` when the device must be forgotten */
  send(push: OutgoingPush): Promise<void>;
}

/**
 * A provider did not accept a message. Its sender asks one question: does trying again help?
 *
 * Permanent: the recipient or the message itself was refused, or nothing is configured to send it. Temporary:
 * everything else, including a refused password, since an operator who corrects it wants the waiting messages to leave.
 * After a timeout the message may have left anyway: twice is better than never.
 */
export class MessageNotSent extends NamedError {
  static override readonly kind = "MessageNotSent";

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
