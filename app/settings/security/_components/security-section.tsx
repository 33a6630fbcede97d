import { PasswordRow } from "@/app/settings/security/_components/password-row";
import { SessionList } from "@/app/settings/security/_components/session-list";
import { Section } from "@/components/layout/section";
import { AuthenticatorRow } from "@/components/parts/sign-in/authenticator-row";
import { Passkeys } from "@/components/parts/sign-in/passkeys";
import { RecoveryCodes } from "@/components/parts/sign-in/recovery-codes";
import {
  formatAfterWord,
  formatDay,
  formatInSentence,
  formatShortDay,
  isToday,
} from "@/components/time/format-instant";
import { SettingList } from "@/components/ui/setting-list";
import type { TimeContext } from "@/lib/contract/time-context";
import type { PasskeyView, SecurityView, SessionView } from "@/lib/views/members/list-security";

interface SecuritySectionProps {
  view: SecurityView;
  /** For the member's password manager. */
  email: string;
  time: TimeContext;
}

export function SecuritySection({ view, email, time }: SecuritySectionProps) {
  const { recoveryCodes } = view;
  return (
    <Section id="security" title="Security" fact="For you">
      <Passkeys
        passkeys={view.passkeys.map((passkey) => ({
          id: passkey.id,
          name: passkey.name,
          about: aboutPasskey(passkey, time),
        }))}
      />
      <h3 className="mx-0 mt-6 mb-0 pb-2 border-b border-rule-strong text-[13px] text-ink-3">Recovery</h3>
      <SettingList>
        <RecoveryCodes
          about={
            recoveryCodes
              ? `${recoveryCodes.leftCount} of ${recoveryCodes.createdCount} left. Each works once. Created ${formatDay(recoveryCodes.createdAt, time)}.`
              : "None yet. You get them with your first passkey or app; they are the only way back in if you lose it."
          }
          hasCodes={recoveryCodes !== null}
          canMake={view.passkeys.length > 0 || view.authenticator !== null}
        />
        <AuthenticatorRow
          isOn={view.authenticator !== null}
          about={
            view.authenticator
              ? `On since ${formatDay(view.authenticator.createdAt, time)}. Used with your password, not with a passkey.`
              : "Off. Used with your password, not with a passkey."
          }
        />
        <PasswordRow
          about={
            view.passwordChangedAt ? `Changed ${formatDay(view.passwordChangedAt, time)}` : "Never changed"
          }
          email={email}
        />
      </SettingList>
      <h3 className="mx-0 mt-6 mb-0 pb-2 border-b border-rule-strong text-[13px] text-ink-3">Signed in</h3>
      <SessionList
        sessions={view.sessions.map((session) => ({
          id: session.id,
          browser: session.browser,
          about: aboutSession(session, time),
          isThisOne: session.isThisOne,
        }))}
      />
    </Section>
  );
}

function aboutPasskey({ createdAt, lastUsedAt }: PasskeyView, time: TimeContext): string {
  const added = `Added ${formatDay(createdAt, time)}.`;
  if (!lastUsedAt) return `${added} Not used yet.`;
  const used = isToday(lastUsedAt, time)
    ? formatAfterWord(lastUsedAt, time)
    : formatShortDay(lastUsedAt, time);
  return `${added} Used ${used}.`;
}

/** `Network 203.0.113.x, since 2 Mar 2026. Last seen today, 11:27.` */
function aboutSession({ network, startedAt, lastSeenAt, isThisOne }: SessionView, time: TimeContext): string {
  const since = `since ${formatInSentence(startedAt, time)}`;
  const where = network ? `Network ${network}, ${since}.` : `Signed in ${since}.`;
  return isThisOne ? where : `${where} Last seen ${formatInSentence(lastSeenAt, time)}.`;
}
