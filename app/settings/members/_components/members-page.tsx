import { InvitationsSection, InviteForm } from "@/app/settings/members/_components/invitations-section";
import { MemberMenu } from "@/app/settings/members/_components/member-menu";
import { SecondFactorSection } from "@/app/settings/members/_components/second-factor-section";
import { COLUMNS } from "@/components/layout/columns";
import { PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Table } from "@/components/layout/table";
import { formatDay, formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Breakable } from "@/components/ui/breakable";
import { Initials } from "@/components/ui/initials";
import { SUBLINE } from "@/components/ui/text-styles";
import { decidesMoney, ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MemberRowView, MembersView } from "@/lib/views/members/list-members";
import { joinWords } from "@/lib/words/rules/phrases";

const NAMED = 3;

const WORDS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

interface MembersPageProps {
  view: MembersView;
}

export function MembersPage({ view }: MembersPageProps) {
  const canInvite = view.viewer.roles.length > 0;
  return (
    <>
      <PageHead
        title={membersTitle(view.members)}
        lede="Owners and co-owners decide about money. Everyone else can only view."
      />
      <div className={canInvite ? COLUMNS : undefined}>
        <div className="[&>.section:first-child]:mt-0">
          <Section id="members" title="Members" fact={view.members.length}>
            <MembersTable view={view} />
          </Section>
          <InvitationsSection view={view} />
          <SecondFactorSection
            isOn={view.asksSecondFactor}
            without={withoutFactor(view.members)}
            viewer={view.viewer}
          />
          <Section id="leaves" title="If someone leaves">
            <p className="max-w-[66ch] mt-3.5 text-ink-2">
              Removing a member ends their sessions and disconnects their assistants at once. Keys that they
              created keep working until you revoke them; you see which before you decide. The last owner
              cannot be removed. Owners get an email when a role changes or a member is removed.
            </p>
          </Section>
        </div>
        {canInvite ? (
          <SideColumn>
            <InviteForm viewer={view.viewer} />
          </SideColumn>
        ) : null}
      </div>
    </>
  );
}

function MembersTable({ view }: MembersPageProps) {
  return (
    <Table
      className="[&_tbody_th]:align-top [&_td]:align-top max-sm:[&_td.number]:px-0 max-sm:[&_td.number]:whitespace-normal [&_th[scope='row']]:w-[34%] max-sm:[&_th[scope='row']]:w-auto max-sm:[&_td]:pr-2.5 max-sm:[&_td_>_.button]:min-w-11 max-sm:[&_td_>_.button]:py-0 max-sm:[&_td_>_.button]:px-1.5 [&_th_.notice]:mt-3 [&_th_.notice]:font-normal"
      caption="Members"
      areHeadsHidden
      rows={view.members}
      columns={[
        { head: "Person", header: true, cell: (member) => <Person member={member} /> },
        {
          head: "Role",
          cell: ({ role, joinedAt, invitedByName }) => (
            <>
              {ROLE_WORD[role]}
              <span className={`${SUBLINE} max-sm:hidden`}>{ROLE_DOES[role]}</span>
              <span className={SUBLINE}>
                Since <Moment at={joinedAt} time={view.time} format={formatDay} />
                {invitedByName ? `, invited by ${invitedByName}` : null}
              </span>
            </>
          ),
        },
        {
          head: "Signs in with",
          phone: "HIDDEN",
          className: "text-ink-2",
          cell: ({ security }) => <SignsInWith security={security} time={view.time} />,
        },
        {
          head: "More",
          kind: "NUMBER",
          cell: (member) => (
            <MemberMenu member={member} organizationName={view.organizationName} viewer={view.viewer} />
          ),
        },
      ]}
    />
  );
}

function Person({ member: { name, email, isYou } }: { member: MemberRowView }) {
  return (
    <span className="flex min-w-0 items-center gap-3 wrap-anywhere max-sm:gap-2.5 max-sm:[&>:first-child]:hidden">
      <Initials name={name} isLarge />
      <span className="min-w-0 wrap-anywhere">
        {name}
        {isYou ? ", you" : null}
        <span className={SUBLINE}>
          <Breakable text={email} />
        </span>
      </span>
    </span>
  );
}

function SignsInWith({ security, time }: { security: MemberRowView["security"]; time: TimeContext }) {
  if (security === null) return null;
  return (
    <>
      {signInWords(security)}
      <span className={SUBLINE}>
        {security.lastSeenAt ? (
          <>
            Seen <Moment at={security.lastSeenAt} time={time} format={formatInSentence} />
          </>
        ) : (
          "Never signed in"
        )}
      </span>
    </>
  );
}

function signInWords({
  passkeyCount: count,
  hasAuthenticator,
}: NonNullable<MemberRowView["security"]>): string {
  if (count === 0) return hasAuthenticator ? "Password and app" : "Password";
  return count === 1 ? "1 passkey" : `${count} passkeys`;
}

/** `Two people can approve`. */
export function membersTitle(members: readonly Pick<MemberRowView, "role" | "isYou">[]): string {
  const deciders = members.filter(({ role }) => decidesMoney(role));
  if (deciders.length === 1) return deciders[0]?.isYou ? "Only you can approve" : "One person can approve";
  return `${WORDS[deciders.length] ?? deciders.length} people can approve`;
}

/** `2 members have neither: you and Tomas.` Empty for readers who cannot see how members sign in. */
export function withoutFactor(
  members: readonly Pick<MemberRowView, "name" | "isYou" | "security">[],
): string {
  const without = members.filter(
    ({ security }) => security && security.passkeyCount === 0 && !security.hasAuthenticator,
  );
  if (without.length === 0) return "";
  const named = without.slice(0, NAMED).map(({ name, isYou }) => (isYou ? "you" : name));
  const rest = without.length - named.length;
  const who = joinWords(rest > 0 ? [...named, `${rest} more`] : named);
  return without.length === 1
    ? `1 member has neither: ${who}.`
    : `${without.length} members have neither: ${who}.`;
}
