import type { Blocked } from "@/components/parts/approvals/decision-notice";
import { list } from "@/components/parts/approvals/history";
import type { SigningView } from "@/lib/views/approvals/describe-signing";

/** `1 of 2 signatures`, and what the viewer's would do. */
export function signingLine({ givenCount, neededCount, signedNames, viewer }: SigningView) {
  const signed = signedNames.length > 0 ? `${list(signedNames, "and")} signed. ` : "";
  const yours = viewer.completes
    ? "Yours would complete it, and the money moves."
    : "Yours is one of several.";
  return { givenCount, neededCount, line: `${signed}${viewer.mayNot ? "" : yours}` };
}

/** Why the viewer's signature would not count; null: it would, or one person decides. */
export function whyNoSignature(signing: SigningView | null): Blocked | null {
  const mayNot = signing?.viewer.mayNot;
  if (!signing || !mayNot) return null;
  if (mayNot.kind === "SIGNED") {
    return { title: "You have signed.", text: `It waits for ${signing.waitsFor}.` };
  }
  return { title: "You may not sign.", text: `${mayNot.text} You can still deny.` };
}
