"use client";

import { FingerprintPattern } from "lucide-react";
import { useState } from "react";
import { RefusalNote } from "@/components/actions/refusal-note";
import { AppCodeField } from "@/components/auth/credential-fields";
import { usePresence } from "@/components/auth/use-presence";
import { Section } from "@/components/layout/section";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { LiveButton } from "@/components/ui/live-button";
import { SettingActions, SettingList } from "@/components/ui/setting-list";
import { LINK_BUTTON } from "@/components/ui/text-styles";
import type { Confirmation, PresenceActions } from "@/lib/contract/views/decision";

interface PresenceSectionProps {
  proof: "PASSKEY" | "PASSWORD" | "PASSWORD_AND_CODE";
  actions: PresenceActions;
}

const PROOF_WORDS = {
  PASSKEY: "your passkey",
  PASSWORD: "your password",
  PASSWORD_AND_CODE: "your password and an authenticator code",
} as const;

/** Step-up before ways to sign in can be changed. */
export function PresenceSection({ proof, actions }: PresenceSectionProps) {
  const [hasLostPasskey, setHasLostPasskey] = useState(false);
  const { message, isBusy, run } = usePresence(actions);
  const kind = proof !== "PASSWORD" && hasLostPasskey ? "RECOVERY_CODE" : proof;

  return (
    <Section id="presence" title="Confirm that it is you">
      <SettingList>
        <li>
          <div className="[&>*+*]:mt-4">
            <p className="text-ink-2">
              To change how you sign in, confirm with {PROOF_WORDS[proof]}. It lasts 5 minutes.
            </p>
            {kind === "PASSKEY" ? null : <SecretForm kind={kind} isBusy={isBusy} onGiven={run} />}
            {proof === "PASSWORD" ? null : (
              <p className="text-sm text-ink-3">
                <LiveButton className={LINK_BUTTON} onClick={() => setHasLostPasskey(!hasLostPasskey)}>
                  {lostWords(proof, hasLostPasskey)}
                </LiveButton>
              </p>
            )}
          </div>
          {kind === "PASSKEY" ? (
            <SettingActions>
              <Button kind="outlined" size="small" busy={isBusy} onClick={() => run("PASSKEY")}>
                <FingerprintPattern />
                Confirm with passkey
              </Button>
            </SettingActions>
          ) : null}
        </li>
      </SettingList>
      <RefusalNote message={message} />
    </Section>
  );
}

export function lostWords(proof: "PASSKEY" | "PASSWORD_AND_CODE", hasLostIt: boolean): string {
  if (proof === "PASSKEY") return hasLostIt ? "Back to passkey" : "Lost your passkey?";
  return hasLostIt ? "Back to password and code" : "Lost your app?";
}

interface SecretFormProps {
  kind: "PASSWORD" | "PASSWORD_AND_CODE" | "RECOVERY_CODE";
  isBusy: boolean;
  onGiven: (confirmation: Confirmation) => void;
}

/** For members without their passkey. */
export function SecretForm({ kind, isBusy, onGiven }: SecretFormProps) {
  const isPassword = kind !== "RECOVERY_CODE";
  return (
    <form
      className="[&>*+*]:mt-4"
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
        hint={isPassword ? undefined : "One of your ten codes. Each works once."}
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
