"use client";

import { useState } from "react";
import { CHANGE_UNKNOWN } from "@/components/act/answer-lost";
import type { SecurityActions } from "@/components/act/security-actions";
import { useAction } from "@/components/act/use-action";
import { refreshUnlessCodes } from "@/components/parts/sign-in/recovery-codes";
import type { NewAuthenticatorView } from "@/lib/contract/confirmation/passkeys";

const ADD_AUTHENTICATOR = {
  act: "ADD_AUTHENTICATOR",
  title: "Add an authenticator app",
  confirmLabel: "Continue",
} as const;

/** Adds an authenticator app: a secret for it, then a first code from it. */
export function useAddAuthenticator(
  actions: Pick<SecurityActions, "beginAuthenticator" | "confirmAuthenticator">,
) {
  const [authenticator, setAuthenticator] = useState<NewAuthenticatorView | null>(null);
  const confirming = useAction({
    act: actions.confirmAuthenticator,
    whenLost: CHANGE_UNKNOWN,
    proof: () => ADD_AUTHENTICATOR,
    onDone: () => setAuthenticator(null),
    afterwards: refreshUnlessCodes,
  });
  const beginning = useAction({
    act: actions.beginAuthenticator,
    whenLost: CHANGE_UNKNOWN,
    proof: () => ADD_AUTHENTICATOR,
    onDone: ({ authenticator: begun }) => {
      confirming.forget();
      setAuthenticator(begun);
    },
    afterwards: null,
  });
  return { authenticator, beginning, confirming, close: () => setAuthenticator(null) };
}
