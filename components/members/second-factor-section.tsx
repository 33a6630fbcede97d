"use client";

import { useState } from "react";
import { StepUpRefusal } from "@/components/auth/use-step-up";
import { type MemberActions, useMemberAct } from "@/components/members/use-member-act";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Section } from "@/components/ui/section";
import type { MembersView } from "@/lib/contract/views/members-view";

interface SecondFactorSectionProps {
  isOn: boolean;
  /** May be empty. */
  without: string;
  viewer: MembersView["viewer"];
  actions: Pick<MemberActions, "askSecondFactor" | "beginPresence" | "confirmPresence">;
}

/** Whether a second factor is required; owners and co-owners can change it. */
export function SecondFactorSection({ isOn, without, viewer, actions }: SecondFactorSectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const act = useMemberAct(actions, isOn ? "Stop requiring" : "Require for everyone");
  const mayChange = viewer.roles.length > 0;
  const change = (submit: typeof act.act) =>
    submit({
      needsProof: true,
      run: () => actions.askSecondFactor({ isAsked: !isOn }),
      onDone: () => setIsOpen(false),
    });
  return (
    <Section id="second-factor" title="Second factor" fact={isOn ? "Required" : "Not required"}>
      <p className="ink2 mem-l">
        {isOn
          ? "Every member signs in with a passkey, or with a password and an authenticator app. A member with neither sees nothing until they add one. Keys and assistants are unaffected."
          : "Members without a passkey or authenticator app can sign in with a password alone."}{" "}
        {without}
      </p>
      {mayChange ? (
        <p className="mem-f">
          <Button kind="outlined" onClick={() => setIsOpen(true)}>
            {isOn ? "Stop requiring it" : "Require for everyone"}
          </Button>
        </p>
      ) : null}
      {isOpen ? (
        <Dialog
          title={isOn ? "Stop requiring a second factor?" : "Require a second factor for everyone?"}
          onCancel={() => setIsOpen(false)}
        >
          <p className="ink2 dialog-l">
            {isOn
              ? "A stolen password will be enough to sign in as a member who has nothing else."
              : "It takes effect at once, also for members who are signed in. Those without one must add one before they see anything."}{" "}
            Every member gets an email.
          </p>
          <StepUpRefusal
            message={act.refusal}
            onRecoveryCode={viewer.hasPasskey ? () => change(act.actWithRecoveryCode) : null}
          />
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsOpen(false)}>
              Not yet
            </Button>
            <Button kind={isOn ? "deny" : "primary"} busy={act.isBusy} onClick={() => change(act.act)}>
              {isOn ? "Stop requiring" : "Require for everyone"}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {act.dialog}
    </Section>
  );
}
