"use client";

import { useEffect } from "react";
import { noteSuggestion } from "@/app/mandates/actions";
import { shownByPage } from "@/components/act/shown-by-page";

/** Tells the server once that this page's suggestion is before the member: a page that is only loaded ahead runs no effects. */
export function NoteSuggestionShown({ proposalId }: { proposalId: string }) {
  useEffect(() => {
    // Without an answer the suggestion may be shown once more; nothing else depends on it.
    noteSuggestion({ proposalId }, shownByPage()).catch(() => undefined);
  }, [proposalId]);
  return null;
}
