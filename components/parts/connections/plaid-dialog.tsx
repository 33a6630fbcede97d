"use client";

import { useEffect, useRef } from "react";
import { usePlaidLink } from "react-plaid-link";

interface PlaidDialogProps {
  linkToken: string;
  /** The bank sent the member back to this URL; the dialog resumes there. */
  isReturn?: boolean;
  onSuccess: (publicToken: string) => void;
  onEnd: (problem: string | null) => void;
}

const NO_TOKEN = "Plaid’s window closed without an answer. Nothing was connected. Try again.";
const NOT_LOADED = "Plaid's window could not be opened. Allow this page to reach Plaid, and try again.";

/**
 * Plaid's own dialog. Rendered only on request, because its script comes from Plaid and no page should fetch it
 * earlier.
 */
export function PlaidDialog({ linkToken, isReturn = false, onSuccess, onEnd }: PlaidDialogProps) {
  const isOver = useRef(false);
  const { open, ready, error } = usePlaidLink({
    token: linkToken,
    ...(isReturn && { receivedRedirectUri: window.location.href }),
    // The token works once: a second callback must not send it again.
    onSuccess: (publicToken) => {
      if (isOver.current) return;
      isOver.current = true;
      if (publicToken === null) onEnd(NO_TOKEN);
      else onSuccess(publicToken);
    },
    onExit: (problem) => {
      if (isOver.current) return;
      isOver.current = true;
      onEnd(problem?.display_message ?? null);
    },
  });
  useEffect(() => {
    if (ready) open();
  }, [ready, open]);
  useEffect(() => {
    if (error) onEnd(NOT_LOADED);
  }, [error, onEnd]);
  return null;
}
