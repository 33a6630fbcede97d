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
