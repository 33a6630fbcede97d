"use client";

import { useEffect, useRef } from "react";
import { usePlaidLink } from "react-plaid-link";

interface PlaidDialogProps {
  linkToken: string;
  /** The bank has sent the member back to this address: the dialog goes on from there. */
  isReturn?: boolean;
  onSuccess: (publicToken: string) => void;
  /** The member closed it, or it could not be opened. */
  onEnd: (problem: string | null) => void;
}

const NO_TOKEN = "Plaid’s window ended without an answer. Nothing was connected. Try again.";
const NOT_LOADED = "Plaid's window could not be opened. Allow this page to reach Plaid, and try again.";

/**
 * Plaid's own dialog, opened as soon as its script has loaded. Rendered only when somebody asked for it: Plaid's script
 * comes from Plaid, and no page fetches it before.
 */
export function PlaidDialog({ linkToken, isReturn = false, onSuccess, onEnd }: PlaidDialogProps) {
  const isOver = useRef(false);
  const { open, ready, error } = usePlaidLink({
    token: linkToken,
    ...(isReturn && { receivedRedirectUri: window.location.href }),
    // The token of a success counts once: a second call of this must not send it again.
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
