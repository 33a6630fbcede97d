import { marksToText } from "@/lib/words/messages/isolates";
import { nameText } from "@/lib/words/messages/untrusted-text";

/** What a device shows. Our words and names, never a caller's own: a lock screen shows it to anyone who is near. */
export interface PushContent {
  title: string;
  sentence: string;
  /** What it is about: a later notification about the same replaces it. */
  about?: string;
  /** Offers to deny beside opening it. */
  canDeny?: boolean;
}

export interface RenderedPush {
  title: string;
  body: string;
  /** Opens when the notification is pressed. */
  url: string;
  /** Opens the same with the denial prepared; null: nothing to deny. */
  denyUrl: string | null;
  /** Null: it replaces no other notification. */
  about: string | null;
}

/** Devices show two or three lines, and push services carry at most 4 KB. */
const MAXIMUM_TITLE_LENGTH = 120;
const MAXIMUM_SENTENCE_LENGTH = 240;

/** The query parameter of an approval link that opens the denial. */
export const DECISION_PARAMETER = "decision";

/** @param origin lines that say where it comes from */
export function renderPush(content: PushContent, url: string, origin: readonly string[]): RenderedPush {
  return {
    title: clip(marksToText(content.title), MAXIMUM_TITLE_LENGTH),
    body: [clip(marksToText(content.sentence), MAXIMUM_SENTENCE_LENGTH), origin.join(". ")]
      .filter(Boolean)
      .join("\n"),
    url,
    denyUrl: content.canDeny ? withDenial(url) : null,
    about: content.about ?? null,
  };
}

/** What a member sends to see that a device shows notifications. */
export function renderDeviceTest(organizationName: string, url: string): RenderedPush {
  const content = {
    title: "Notifications work on this device",
    sentence: "Proposals that need your decision arrive like this.",
  };
  return renderPush(content, url, [nameText(organizationName)]);
}

function withDenial(url: string): string {
  const address = new URL(url);
  address.searchParams.set(DECISION_PARAMETER, "deny");
  return address.href;
}

/** By code point, so that no character is split. */
function clip(text: string, maximumLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maximumLength
    ? text
    : `${characters.slice(0, maximumLength - 1).join("")}\u2026`;
}
