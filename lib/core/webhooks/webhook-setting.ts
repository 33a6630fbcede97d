import type { Encryption } from "@/lib/platform/encryption";
import type { WebhookSender } from "@/lib/ports/webhooks/webhook-sender";

/** What delivering events needs of the process that it runs in. */
export interface WebhookSetting {
  sender: WebhookSender;
  /** Opens and seals signing secrets. */
  secrets: Encryption;
  /** http and private addresses are allowed (WEBHOOK_ALLOW_PRIVATE). */
  allowsPrivate: boolean;
}
