import { type PushSubscriptionFacts, pushSubscriptionSchema } from "@/lib/contract/notifications";
import type { Refused } from "@/lib/contract/refused";

const WORKER = "/sw.js";
/** Chromium tries for a while when its push service does not answer. */
const SUBSCRIBE_TIMEOUT_MS = 30_000;
/** As many as `deviceMark` (lib/core/sign-in/push-devices.ts). */
const MARK_LENGTH = 16;

/** Whether this browser can show notifications, and what keeps it from doing so. */
export function pushStateOf(): "READY" | "BLOCKED" | "HOME_SCREEN" | "INSECURE" | "UNSUPPORTED" {
  if (!window.isSecureContext) return "INSECURE";
  const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!isSupported) return isAppleMobile() ? "HOME_SCREEN" : "UNSUPPORTED";
  return Notification.permission === "denied" ? "BLOCKED" : "READY";
}

/** iPads claim to be Macs, which have no touch screen. */
function isAppleMobile(): boolean {
  return (
    /iPhone|iPad/.test(navigator.userAgent) ||
    (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  );
}

/** The mark of this browser's subscription, by which the page finds its device; null: it has none. */
export async function findOwnMark(): Promise<string | null> {
  const subscription = await findSubscription();
  if (!subscription) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
  const bytes = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return bytes.join("").slice(0, MARK_LENGTH);
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export async function endSubscription(): Promise<void> {
  await (await findSubscription())?.unsubscribe();
}

type Subscribed = { kind: "SUBSCRIBED"; subscription: PushSubscriptionFacts } | Refused;

/** Asks for permission and subscribes; call it from a press, or browsers do not ask. */
export async function subscribeHere(publicKey: string): Promise<Subscribed> {
  if ((await Notification.requestPermission()) !== "granted") {
    return refused("The browser did not allow notifications. Nothing was changed.");
  }
  try {
    const subscription = await Promise.race([subscribe(publicKey), rejectAfter(SUBSCRIBE_TIMEOUT_MS)]);
    return { kind: "SUBSCRIBED", subscription: pushSubscriptionSchema.parse(subscription.toJSON()) };
  } catch {
    return refused("This browser could not reach its push service. Nothing was changed. Try again later.");
  }
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const earlier = await pushManager.getSubscription();
  // Made for another key, for example before the server's secret was replaced: nobody could send to it.
  if (earlier && keyOf(earlier) !== publicKey) await earlier.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function rejectAfter(timeoutMs: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error("The push service did not answer in time")), timeoutMs);
  });
}

function refused(message: string): Refused {
  return { kind: "REFUSED", message };
}
