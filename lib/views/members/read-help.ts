import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import type { Reading } from "@/lib/views/reading";

const MAXIMUM_OWNERS = 10;
/** A request ID as `newRequestId` makes it, or the digest of a failed page: no other text of a URL enters an email. */
const REQUEST_ID_PATTERN = /^([0-9a-z]{4}(-[0-9a-z]{4}){2}|\d{1,12}(@E\d{1,6})?)$/;

/** Whom a member can ask: the operator, if there is an address, and the organization's owners. */
export async function readHelp(
  { services, context: { organizationId, actor } }: Reading<"pool" | "appUrl">,
  input: {
    organization: CurrentSession["organization"];
    supportEmail: string | null;
    /** From the page's URL. */
    requestId: unknown;
    /** What runs here, as far as members may know. */
    installation: {
      version: string;
      isSandbox: boolean;
      mailWay: "PROVIDER" | "MAILBOX" | "NONE";
      smsWay: "PROVIDER" | "MAILBOX" | "NONE";
    };
  },
) {
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
    /** Of this server's operator; null if not configured. */
    supportEmail: input.supportEmail,
    /** Owners of the organization, the first ten. */
    owners: rows.map(({ id, name, email }) => ({ name, email, isYou: id === actor.id })),
    /** Address of this server without its scheme. */
    hostName: new URL(services.appUrl).host,
    /** What runs here, as far as members may know. */
    installation: input.installation,
    /** Of the failed request, if the reader came from one. */
    requestId: typeof requestId === "string" && REQUEST_ID_PATTERN.test(requestId) ? requestId : null,
  };
}

/** The page that explains whom to ask. */
export type HelpView = Awaited<ReturnType<typeof readHelp>>;
