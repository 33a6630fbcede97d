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
  /** Who has no second factor, in a sentence; empty where nobody has none, or the reader is not told. */
  without: string;
  viewer: MembersView["viewer"];
  actions: Pick<MemberActions, "askSecondFactor" | "beginPresence" | "confirmPresence">;
}

/** Whether a password alone opens the organization, and for those who decide, the switch and who would be asked. */
export function SecondFactorSection({ isOn, without, viewer, actions }: SecondFactorSectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const act = useMemberAct(actions, isOn ? "Ask no longer" : "Ask everybody");
  const mayChange = viewer.roles.length > 0;
  const change = (submit: typeof act.act) =>
    submit({
      needsProof: true,
      run: () => actions.askSecondFactor({ isAsked: !isOn }),
      onDone: () => setIsOpen(false),
    });
  return (
    <Section id="second-factor" title="Second factor" fact={isOn ? "Asked of everybody" : "Not asked for"}>
      <p className="ink2 mem-l">
        {isOn
          ? "Every member signs in with a passkey, or with a password and an authenticator app. Whoever has neither sees nothing here until they add one. Keys and assistants are not asked."
          : "A password alone opens this organization for whoever has neither a passkey nor an authenticator app."}{" "}
        {without}
      </p>
      {mayChange ? (
        <p className="mem-f">
          <Button kind="outlined" onClick={() => setIsOpen(true)}>
            {isOn ? "Ask for it no longer" : "Ask everybody for it"}
          </Button>
        </p>
      ) : null}
      {isOpen ? (
        <Dialog
          title={isOn ? "Ask for a second factor no longer?" : "Ask everybody for a second factor?"}
          onCancel={() => setIsOpen(false)}
        >
          <p className="ink2 dialog-l">
            {isOn
              ? "A stolen password is enough then to see this organization as whoever has nothing else."
              : "It counts at once, where members are signed in too. Whoever has none is asked to add one before they see anything."}{" "}
            Every member is told by email.
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
              {isOn ? "Ask no longer" : "Ask everybody"}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {act.dialog}
    </Section>
  );
}
