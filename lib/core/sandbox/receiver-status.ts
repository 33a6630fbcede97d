import type { ReceiverMode } from "@/lib/contract/sandbox-receiver";

const FAILS_EVERY = 3;

/** What the receiver says besides, by status. */
export const RECEIVER_TEXTS: Readonly<Record<number, string>> = {
  410: "The receiver is gone for good.",
  500: "The receiver failed.",
  503: "The receiver is unavailable.",
};

/**
 * What the receiver answers.
 * @param place of the delivery, from 1: which third it belongs to
 * @returns the status, or null for nothing until the sender has given up
 */
export function receiverStatus(mode: ReceiverMode, place: number): number | null {
  switch (mode) {
    case "OK":
      return 204;
    case "UNAVAILABLE":
      return 503;
    case "ERROR":
      return 500;
    case "GONE":
      return 410;
    case "SILENT":
      return null;
    case "FLAKY":
      return place % FAILS_EVERY === 0 ? 503 : 204;
  }
}
