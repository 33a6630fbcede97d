"use client";

import { useRef, useState } from "react";
import { changePassword } from "@/app/settings/security/actions";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { SettingActions } from "@/components/ui/setting-list";
import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";

interface PasswordRowProps {
  /** `Changed 2 Mar 2026` */
  about: string;
  email: string;
}

export function PasswordRow({ about, email }: PasswordRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const close = () => {
    setPassword("");
    setIsOpen(false);
  };
  const changing = useAction(changePassword, {
    proof: () => ({
      act: "CHANGE_PASSWORD",
      title: "Confirm with your present password",
      confirmLabel: "Change password",
    }),
    onDone: () => {
      setIsChanged(true);
      close();
    },
  });
  const open = () => {
    changing.forget();
    setIsOpen(true);
  };
  return (
    <li>
      <div>
        <b>Password</b>
        <p className="text-sm text-ink-3" role="status">
          {isChanged ? "Just changed. You were signed out everywhere else." : about}
        </p>
      </div>
      <SettingActions>
        <Button kind="outlined" size="small" onClick={open} aria-label="Change your password">
          Change
        </Button>
      </SettingActions>
      {isOpen ? (
        <Dialog title="Change your password" initialFocus={field} onCancel={close}>
          <SendForm isBusy={changing.isBusy} onSend={() => changing.run({ password })}>
            {/* Tells a password manager whose it is. */}
            <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
            <InputField
              ref={field}
              label="New password"
              hint={`At least ${MINIMUM_PASSWORD_LENGTH} characters. You will be signed out everywhere else, and we confirm the change by email.`}
              type="password"
              autoComplete="new-password"
              maxLength={MAXIMUM_PASSWORD_LENGTH}
              value={password}
              error={changing.message}
              onChange={(event) => setPassword(event.target.value)}
            />
            <div className={DIALOG_BUTTONS}>
              <Button kind="quiet" onClick={close}>
                Keep the old one
              </Button>
              <Button kind="primary" type="submit" busy={changing.isBusy}>
                {changing.isBusy ? "Changing" : "Change password"}
              </Button>
            </div>
          </SendForm>
        </Dialog>
      ) : null}
    </li>
  );
}
