"use client";

import { askSecondFactor } from "@/app/settings/members/actions";
import { ConfirmButton } from "@/components/act/confirm-button";
import { Section } from "@/components/layout/section";
import { Button } from "@/components/ui/button";
import type { MembersView } from "@/lib/views/members/list-members";

interface SecondFactorSectionProps {
  isOn: boolean;
  /** May be empty. */
  without: string;
  viewer: MembersView["viewer"];
}

/** Whether a second factor is required; owners and co-owners can change it. */
export function SecondFactorSection({ isOn, without, viewer }: SecondFactorSectionProps) {
  const mayChange = viewer.roles.length > 0;
  return (
    <Section id="second-factor" title="Second factor" fact={isOn ? "Required" : "Not required"}>
      <p className="max-w-[66ch] mt-3.5 text-ink-2">
        {isOn
          ? "Every member signs in with a passkey, or with a password and an authenticator app. A member with neither sees nothing until they add one. Keys and assistants are unaffected."
          : "Members without a passkey or authenticator app can sign in with a password alone."}{" "}
        {without}
      </p>
      {mayChange ? (
        <ConfirmButton
          button={(open) => (
            <p className="mt-4">
              <Button kind="outlined" onClick={open}>
                {isOn ? "Stop requiring it" : "Require for everyone"}
              </Button>
            </p>
          )}
          title={isOn ? "Stop requiring a second factor?" : "Require a second factor for everyone?"}
          keepLabel="Not yet"
          actLabel={isOn ? "Stop requiring" : "Require for everyone"}
          kind={isOn ? "deny" : "primary"}
          act={askSecondFactor}
          input={{ isAsked: !isOn }}
          options={{
            proof: ({ isAsked }) => ({
              act: `REQUIRE_SECOND_FACTOR:${isAsked}`,
              title: isOn ? "Stop requiring a second factor" : "Require a second factor for everyone",
              confirmLabel: isOn ? "Stop requiring" : "Require for everyone",
            }),
          }}
          takesRecoveryCode={viewer.hasPasskey}
        >
          <p>
            {isOn
              ? "A stolen password will be enough to sign in as a member who has nothing else."
              : "It takes effect at once, also for members who are signed in. Those without one must add one before they see anything."}{" "}
            Every member gets an email.
          </p>
        </ConfirmButton>
      ) : null}
    </Section>
  );
}
