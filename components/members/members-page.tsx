import { InvitationsSection, InviteForm } from "@/components/members/invitations-section";
import { MemberMenu } from "@/components/members/member-menu";
import { SecondFactorSection } from "@/components/members/second-factor-section";
import { formatDay, formatInSentence } from "@/components/time/format-instant";

import { Moment } from "@/components/time/moment";
import { Breakable } from "@/components/ui/breakable";
import { Initials } from "@/components/ui/initials";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { decidesMoney, ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { MemberActions, MemberRowView, MembersView } from "@/lib/contract/views/members-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { joinWords } from "@/lib/engine/words/phrases";

const NAMED = 3;

const WORDS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

interface MembersPageProps {
  view: MembersView;
  actions: MemberActions;
}

export function MembersPage({ view, actions }: MembersPageProps) {
  const canInvite = view.viewer.roles.length > 0;
  return (
    <>
      <PageHead
        title={membersTitle(view.members)}
        lede="Owners and co-owners decide about money. Everyone else can only view."
      />
      <div className={canInvite ? "cols" : undefined}>
        <div className="mem-s">
          <Section id="members" title="Members" fact={view.members.length}>
            <MembersTable view={view} actions={actions} />
          </Section>
          <InvitationsSection view={view} actions={actions} />
          <SecondFactorSection
            isOn={view.asksSecondFactor}
            without={withoutFactor(view.members)}
            viewer={view.viewer}
            actions={actions}
          />
          <Section id="leaves" title="If someone leaves">
            <p className="ink2 mem-l">
              Removing a member ends their sessions and disconnects their assistants at once. Keys that they
              created keep working until you revoke them; you see which before you decide. The last owner
              cannot be removed. Owners get an email when a role changes or a member is removed.
            </p>
          </Section>
        </div>
        {canInvite ? (
          <aside className="side">
            <div className="side-in">
              <InviteForm viewer={view.viewer} actions={actions} />
            </div>
          </aside>
        ) : null}
      </div>
    </>
  );
}

function MembersTable({ view, actions }: MembersPageProps) {
  return (
    <table className="ledger mem">
      <caption className="vh">Members</caption>
      <thead className="vh">
        <tr>
          <th scope="col">Person</th>
          <th scope="col">Role</th>
          <th scope="col" className="hide-s">
            Signs in with
          </th>
          <th scope="col">More</th>
        </tr>
      </thead>
      <tbody>
        {view.members.map((member) => (
          <tr key={member.id}>
            <th scope="row">
              <span className="person">
                <Initials name={member.name} />
                <span className="mem-n">
                  {member.name}
                  {member.isYou ? ", you" : null}
                  <span className="meta blk">
                    <Breakable text={member.email} />
                  </span>
                </span>
              </span>
            </th>
            <td>
              {ROLE_WORD[member.role]}
              <span className="meta blk role">{ROLE_DOES[member.role]}</span>
              <span className="meta blk">
                Since <Moment at={member.joinedAt} time={view.time} format={formatDay} />
                {member.invitedByName ? `, invited by ${member.invitedByName}` : null}
              </span>
            </td>
            <td className="hide-s ink2">
              <SignsInWith security={member.security} time={view.time} />
            </td>
            <td className="num">
              <MemberMenu
                member={member}
                organizationName={view.organizationName}
                viewer={view.viewer}
                actions={actions}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SignsInWith({ security, time }: { security: MemberRowView["security"]; time: TimeContext }) {
  if (security === null) return null;
  return (
    <>
      {signInWords(security)}
      <span className="meta blk">
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
