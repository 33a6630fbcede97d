"use client";

import { useState } from "react";
import { AppCodeField } from "@/components/auth/app-code-field";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";

interface CodeStepProps {
  isBusy: boolean;
  onCode: (code: string) => void;
  /** In the place of a lost app. */
  onRecoveryCode: (code: string) => void;
  onBack: () => void;
}

/** The second step of a sign-in with a password: the code of the authenticator app. */
export function CodeStep({ isBusy, onCode, onRecoveryCode, onBack }: CodeStepProps) {
  const [hasLostApp, setHasLostApp] = useState(false);
  return (
    <>
      <form
        method="post"
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const code = new FormData(event.currentTarget).get("code");
          if (isBusy || typeof code !== "string") return;
          if (hasLostApp) onRecoveryCode(code);
          else onCode(code);
        }}
      >
        {hasLostApp ? (
          <InputField
            key="recovery"
            label="Recovery code"
            name="code"
            autoComplete="off"
            required
            maxLength={64}
            hint="One of the ten that you stored. Each works once."
          />
        ) : (
          <AppCodeField key="app" name="code" required />
        )}
        <Button kind="primary" wide type="submit" busy={isBusy}>
          {isBusy ? "Signing in" : "Sign in"}
        </Button>
      </form>
      <p className="meta sign-h">
        <button className="link lb" type="button" onClick={() => setHasLostApp(!hasLostApp)}>
          {hasLostApp ? "Use the app" : "Lost your app?"}
        </button>
        {" · "}
        <button className="link lb" type="button" onClick={onBack}>
          Sign in another way
        </button>
      </p>
    </>
  );
}
