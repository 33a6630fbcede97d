// biome-ignore-all lint/performance/noBarrelFile: the entrance of a package
// biome-ignore-all lint/performance/noReExportAll: every generated type is part of the package
export type { Answer, CallOptions, SluiceOptions } from "./call.js";
export { type EachItemOptions, eachItem, type ItemPage } from "./each-item.js";
export {
  type ErrorDetail,
  SluiceConnectionError,
  SluiceError,
  SluiceTimeoutError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "./errors.js";
export type * from "./generated.js";
export { toNodeListener } from "./node-listener.js";
export type { WaitOptions } from "./poll.js";
export { createMemorySeenEvents, type SeenEvents, type SeenState } from "./seen-events.js";
export { Sluice } from "./sluice.js";
export {
  type ReceivedWebhook,
  type VerificationOptions,
  verifyWebhook,
  type WebhookHeaders,
} from "./verify-webhook.js";
export type { ReceivedEvent } from "./webhook-event.js";
export {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from "./webhook-receiver.js";
