"use client";

import { useState } from "react";
import { beginAuthenticator, confirmAuthenticator } from "@/app/settings/security/actions";
import { useAction } from "@/components/act/use-action";
import { refreshUnlessCodes } from "@/components/parts/sign-in/recovery-codes";
import type { NewAuthenticatorView } from "@/lib/contract/confirmation/passkeys";

const ADD_AUTHENTICATOR = {
  act: "ADD_AUTHENTICATOR",
  title: "Add an authenticator app",
  confirmLabel: "Continue",
} as const;

/** Adds an authenticator app: a secret for it, then a first code from it. */
export function useAddAuthenticator() {
  const [authenticator, setAuthenticator] = useState<NewAuthenticatorView | null>(null);
  const confirming = useAction(confirmAuthenticator, {
    proof: () => ADD_AUTHENTICATOR,
    onDone: () => setAuthenticator(null),
    afterwards: refreshUnlessCodes,
  });
  const beginning = useAction(beginAuthenticator, {
    proof: () => ADD_AUTHENTICATOR,
    onDone: ({ authenticator: begun }) => {
      confirming.forget();
      setAuthenticator(begun);
    },
    afterwards: null,
  });
  return { authenticator, beginning, confirming, close: () => setAuthenticator(null) };
}
