import type { HelpView } from "@/lib/contract/views/members-view";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import type { Services } from "@/lib/platform/services";

const MAXIMUM_OWNERS = 10;
/** As `newRequestId` makes them: whatever else stands in an address gets into no mail. */
/** An id of ours, or the number that a page which could not be shown has in the log. */
const REQUEST_ID_PATTERN = /^([0-9a-z]{4}(-[0-9a-z]{4}){2}|\d{1,12}(@E\d{1,6})?)$/;

/** Whom a member can ask: the operator where there is an address, and the owners of their organization. */
export async function readHelp(
  services: Pick<Services, "pool" | "appUrl">,
  { organizationId, actor }: Context<MemberActor>,
  input: {
    organization: CurrentSession["organization"];
    supportEmail: string | null;
    /** From the address of the page. */
    requestId: unknown;
    installation: HelpView["installation"];
  },
): Promise<HelpView> {
  const { rows } = await services.pool.query<{ id: string; name: string; email: string }>({
    name: "read_owners",
    text: `
      select u.id, u.name, u.email from memberships m join users u on u.id = m.user_id
       where m.organization_id = $1 and m.role = 'OWNER' order by m.created_at, u.id limit ${MAXIMUM_OWNERS}`,
    values: [organizationId],
  });
  const { requestId } = input;
  return {
    organizationName: input.organization.name,
    supportEmail: input.supportEmail,
    owners: rows.map(({ id, name, email }) => ({ name, email, isYou: id === actor.id })),
    hostName: new URL(services.appUrl).host,
    installation: input.installation,
    requestId: typeof requestId === "string" && REQUEST_ID_PATTERN.test(requestId) ? requestId : null,
  };
}
