"use client";

import { useRef, useState } from "react";
import { useProvenChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";
import type { SecurityActions } from "@/lib/contract/views/auth-view";

interface PasswordRowProps {
  /** `Changed 2 Mar 2026` */
  about: string;
  email: string;
  actions: Pick<SecurityActions, "changePassword" | "beginPresence" | "confirmPresence">;
}

export function PasswordRow({ about, email, actions }: PasswordRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const change = useProvenChange(actions);
  const close = () => {
    change.clearRefusal();
    setPassword("");
    setIsOpen(false);
  };
  const submit = () =>
    change.run(
      () => actions.changePassword({ password }),
      () => {
        setIsChanged(true);
        close();
      },
    );
  return (
    <li>
      <div>
        <b>Password</b>
        <p className="meta" role="status">
          {isChanged ? "Just changed. You were signed out everywhere else." : about}
        </p>
      </div>
      <div className="acts-r">
        <Button
          kind="outlined"
          size="small"
          onClick={() => setIsOpen(true)}
          aria-label="Change your password"
        >
          Change
        </Button>
      </div>
      {isOpen ? (
        <Dialog title="Change your password" initialFocus={field} onCancel={close}>
          <form
            method="post"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!change.isBusy) submit();
            }}
          >
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
              error={change.refusal}
              onChange={(event) => setPassword(event.target.value)}
            />
            <div className="btns">
              <Button kind="quiet" onClick={close}>
                Keep the old one
              </Button>
              <Button kind="primary" type="submit" busy={change.isBusy}>
                {change.isBusy ? "Changing" : "Change password"}
              </Button>
            </div>
          </form>
        </Dialog>
      ) : null}
      {change.dialog}
    </li>
  );
}
