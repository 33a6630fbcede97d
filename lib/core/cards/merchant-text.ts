import { seenText } from "@/lib/contract/plain-text";

const MAXIMUM_LENGTH = 200;

/** A merchant's name as the network gives it, made fit to be stored and shown on one line. */
export function merchantText(text: string): string {
  return Array.from(seenText(text, "\uFFFD").trim()).slice(0, MAXIMUM_LENGTH).join("");
}
