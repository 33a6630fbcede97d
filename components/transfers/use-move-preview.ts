"use client";

import { useEffect, useRef, useState } from "react";
import type { MoveDraft } from "@/lib/contract/move";
import type { MoveActions, MovePreview } from "@/lib/contract/views/move-view";

/** Long enough that not every letter asks the server, short enough to feel at once. */
const DEBOUNCE_MS = 250;
const UNREACHABLE = "Sluice did not answer, so it is not known what this would do. Nothing moved.";

type Answer = { key: string } & ({ preview: MovePreview } | { message: string });

/**
 * What the draft would do, worked out by the server as it is typed. An answer to an earlier draft is dropped: only
 * `current` may be confirmed. `shown` is the last one that arrived, to be set back while another is on its way.
 * @param revision another number asks again for the same draft
 */
export function useMovePreview(
  draft: MoveDraft | null,
  preview: MoveActions["preview"],
  revision: number,
): { current: MovePreview | null; shown: MovePreview | null; refusal: string | null } {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const latest = useRef(draft);
  latest.current = draft;
  const key = draft === null ? null : `${revision} ${JSON.stringify(draft)}`;

  useEffect(() => {
    if (key === null) return;
    let isStale = false;
    const timer = setTimeout(async () => {
      const asked = latest.current;
      if (asked === null) return;
      const result = await preview(asked).catch(() => ({ kind: "REFUSED" as const, message: UNREACHABLE }));
      if (isStale) return;
      setAnswer(
        result.kind === "PREVIEWED" ? { key, preview: result.preview } : { key, message: result.message },
      );
    }, DEBOUNCE_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [key, preview]);

  const shown = answer !== null && "preview" in answer ? answer.preview : null;
  const isCurrent = answer !== null && answer.key === key;
  return {
    shown: key === null ? null : shown,
    current: isCurrent ? shown : null,
    refusal: isCurrent && "message" in answer ? answer.message : null,
  };
}
