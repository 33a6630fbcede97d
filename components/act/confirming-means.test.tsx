import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { useMeans, withMeans } from "@/components/act/confirming-means";

const NOW = "2026-11-20T16:00:00Z";

function Label({ hasPasskey, freshUntil }: { hasPasskey: boolean; freshUntil: string | null }) {
  return withMeans("Approve", useMeans({ hasPasskey, freshUntil }, NOW));
}

test.each([
  [true, "2026-11-20T16:05:00Z", "Approve with passkey"],
  [false, "2026-11-20T16:00:01Z", "Approve"],
  [false, "2026-11-20T16:00:00Z", "Approve with password"],
  [false, null, "Approve with password"],
])(
  "a button says before the press what follows it (passkey %s, fresh until %s)",
  (hasPasskey, freshUntil, says) => {
    expect(renderToStaticMarkup(<Label hasPasskey={hasPasskey} freshUntil={freshUntil} />)).toBe(says);
  },
);
