import type { Encryption } from "@/lib/platform/encryption";
import type { PushPort } from "@/lib/ports/messages/message-ports";

/** What notifications on devices need from their process. */
export interface PushSetting {
  port: PushPort;
  /** Encrypts and decrypts subscriptions; the context is the device's id. */
  subscriptions: Encryption;
}
