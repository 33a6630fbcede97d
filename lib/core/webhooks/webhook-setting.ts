import type { Encryption } from "@/lib/platform/encryption";
import type { WebhookSender } from "@/lib/ports/webhooks/webhook-sender";

/** What delivering events needs from its process. */
export interface WebhookSetting {
  sender: WebhookSender;
  /** Encrypts and decrypts signing secrets. */
  secrets: Encryption;
  /** Allows http and private addresses (WEBHOOK_ALLOW_PRIVATE). */
  allowsPrivate: boolean;
}
