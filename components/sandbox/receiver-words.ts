import type { ReceiverMode } from "@/lib/contract/sandbox-receiver";

/** After “The receiver answers”. */
export const RECEIVER_WORDS: Record<ReceiverMode, string> = {
  OK: "Received",
  UNAVAILABLE: "503 Unavailable",
  ERROR: "500",
  GONE: "410 Gone",
  SILENT: "Nothing, until time runs out",
  FLAKY: "Received, and every third fails",
};
