"use client";

import { AppCodeField } from "@/components/auth/app-code-field";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import type { Confirmation } from "@/lib/contract/views/decision";

interface SecretFormProps {
  kind: "PASSWORD" | "PASSWORD_AND_CODE" | "RECOVERY_CODE";
  isBusy: boolean;
  onGiven: (confirmation: Confirmation) => void;
}

/** What somebody types to prove who they are, where they do not touch a passkey. */
export function SecretForm({ kind, isBusy, onGiven }: SecretFormProps) {
  const isPassword = kind !== "RECOVERY_CODE";
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const secret = form.get("secret");
        const code = form.get("code");
        if (isBusy || typeof secret !== "string") return;
        if (!isPassword) return onGiven({ kind: "RECOVERY_CODE", code: secret });
        onGiven({ kind: "PASSWORD", password: secret, ...(typeof code === "string" && { code }) });
      }}
    >
      <InputField
        label={isPassword ? "Password" : "Recovery code"}
        name="secret"
        type={isPassword ? "password" : "text"}
        autoComplete={isPassword ? "current-password" : "off"}
        required
        maxLength={isPassword ? 200 : 64}
        hint={isPassword ? undefined : "One of the ten that you stored. Each works once."}
      />
      {kind === "PASSWORD_AND_CODE" ? <AppCodeField name="code" required /> : null}
      <p>
        <Button kind="outlined" type="submit" busy={isBusy}>
          {isPassword ? "Confirm with password" : "Confirm with recovery code"}
        </Button>
      </p>
    </form>
  );
}
