import { OtherSessions } from "@/components/auth/other-sessions";
import { Passkeys } from "@/components/auth/passkeys";
import { RecoveryCodes } from "@/components/auth/recovery-codes";
import { formatDay, formatMoment, formatShortDay } from "@/components/time/format-instant";
import { Section } from "@/components/ui/section";
import type { PasskeyView, SecurityActions, SecurityView } from "@/lib/contract/views/auth-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface SecuritySectionProps {
  view: SecurityView;
  actions: SecurityActions;
  time: TimeContext;
}

/** A member's own ways to sign in and to confirm decisions. */
export function SecuritySection({ view, actions, time }: SecuritySectionProps) {
  const { recoveryCodes } = view;
  return (
    <Section id="security" title="Security" fact="For you">
      <Passkeys
        passkeys={view.passkeys.map((passkey) => ({
          id: passkey.id,
          name: passkey.name,
          about: aboutPasskey(passkey, time),
        }))}
        actions={actions}
      />
      <h3 className="pg">Ways back in</h3>
      <RecoveryCodes
        about={
          recoveryCodes
            ? `${recoveryCodes.leftCount} of ${recoveryCodes.madeCount} left. Each works once. Made ${formatDay(recoveryCodes.madeAt, time)}.`
            : "None yet. They are the only way back in when a passkey is lost."
        }
        hasCodes={recoveryCodes !== null}
        makeRecoveryCodes={actions.makeRecoveryCodes}
      />
      <h3 className="pg">Where you are signed in</h3>
      <OtherSessions count={view.otherSessionCount} endOtherSessions={actions.endOtherSessions} />
    </Section>
  );
}

function aboutPasskey({ addedAt, lastUsedAt }: PasskeyView, time: TimeContext): string {
  const added = `Added ${formatDay(addedAt, time)}.`;
  if (!lastUsedAt) return `${added} Not used yet.`;
  const moment = formatMoment(lastUsedAt, time);
  const used = moment.startsWith("Today")
    ? moment.replace("Today", "today")
    : formatShortDay(lastUsedAt, time);
  return `${added} Used ${used}.`;
}
