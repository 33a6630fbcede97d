import { type APIRequestContext, expect, test } from "@playwright/test";
import type pg from "pg";
import { examplesOf } from "@/e2e/pages/page-examples";
import { type PageFacts, readDemoFacts } from "@/e2e/pages/page-facts";
import { demoFolder } from "@/e2e/support/demo-folder";
import { addOrganization, type JoinedDatabase, joinDatabase } from "@/e2e/support/join-database";
import { demo, propose } from "@/e2e/support/journey";
import { shownBy } from "@/e2e/support/sign-in-over-http";
import { withShownField } from "@/lib/contract/shown";
import { hashPassword } from "@/lib/core/sign-in/password";
import { newId } from "@/lib/platform/ids";

/**
 * The owner of another organization of this server requests every address that names something of the demo: pages,
 * exports, downloads and background requests of pages. Each is answered as if the id did not exist.
 */
const PASSWORD = "a long password of a stranger";
let database: JoinedDatabase;
let facts: PageFacts;
/** What the stranger's pages show. */
let shown = "";
test.beforeAll(async () => {
  database = await joinDatabase();
  const waiting = await propose({ amountInCents: 31_700, reasonForApproval: "Asked for by a stranger." });
  facts = { ...(await readDemoFacts(demoFolder(), demo())), waitingTransferId: waiting.id };
});
test.afterAll(() => database.close());

test("whatever a page, an export or a background request names of another organization looks nonexistent", async ({
  request,
}) => {
  const email = await addStranger(database.ownerPool);
  await signIn(request, email);
  shown = shownBy(await (await request.get(`${demo().appUrl}/help`)).text());
  const names = await namesOfDemo(database.ownerPool, facts.organizationId);
  const found: string[] = [];
  const addresses = addressesWithIds();
  for (const address of addresses) {
    const foreign = await ask(request, address);
    const nothing = await ask(request, withoutIds(address));
    const difference = differenceOf(comparable(foreign.text), comparable(nothing.text));
    if (foreign.status !== nothing.status || difference !== null) {
      found.push(
        `${address} answers ${foreign.status}, and unlike an id of nothing (${nothing.status}): ${difference}`,
      );
    }
    const reported = names.filter((name) => foreign.text.includes(name));
    if (reported.length > 0) found.push(`${address} tells ${reported.join(", ")}`);
    if (foreign.url.includes("/sign-in")) found.push(`${address} was not requested by a signed-in member`);
  }
  expect(found).toEqual([]);
  expect(addresses.length).toBeGreaterThan(30);
});

/** Every example address that names something, and those without a page: exports, downloads, background requests. */
function addressesWithIds(): string[] {
  const { accountId, waitingTransferId, keyId, settledTransferId, ruleId, cardTransactionId } = facts;
  const pages = examplesOf(process.cwd())
    .filter(({ as }) => as === "MEMBER")
    .flatMap(({ views }) => views(facts).flatMap(({ at }) => at ?? []));
  return [
    ...pages,
    `/approvals/${waitingTransferId}/version`,
    `/settings/api-keys/${keyId}/first-use`,
    `/transfers/export?account=${accountId}`,
    `/transfers/cards/export?account=${accountId}`,
    `/transfers/outside/export?account=${accountId}`,
    `/transfers?account=${accountId}`,
    `/transfers/cards?account=${accountId}`,
    `/transfers/new?from=${accountId}`,
    `/audit?caller=${keyId}`,
    `/audit/export/csv?caller=${keyId}`,
    `/find?q=${settledTransferId}`,
    `/find?q=${ruleId}`,
    `/live?rule=${ruleId}&transfer=${waitingTransferId}&card=${cardTransactionId}`,
    `/approvals/export?transfer=${waitingTransferId}`,
  ].filter((address) => UUID.test(address));
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

function withoutIds(address: string): string {
  return address.replace(new RegExp(UUID, "gi"), () => newId(new Date()));
}

/**
 * What a reader sees, without ids, times and request ids, in which any two responses differ. Sorted, since the parts of
 * a page arrive in the order in which they are ready.
 */
function comparable(text: string): string {
  return text
    .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(new RegExp(UUID, "gi"), "<id>")
    .replace(
      /\b\d{1,2}:\d\d(:\d\d)?( ?[AP]M)?\b|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d+ (second|minute)s?\b/g,
      "<time>",
    )
    .split(/\s+/)
    .sort()
    .join(" ");
}

/** Where two texts differ, with an excerpt of each. */
function differenceOf(left: string, right: string): string | null {
  if (left === right) return null;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  return `«${left.slice(at - 80, at + 120)}» and «${right.slice(at - 80, at + 120)}»`;
}

async function ask(request: APIRequestContext, address: string) {
  const answer = await request.get(withShownField(`${demo().appUrl}${address}`, shown));
  return { status: answer.status(), text: await answer.text(), url: answer.url() };
}

async function namesOfDemo(owner: pg.Pool, organizationId: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select name from organizations where id = $1
      union select name from rules where organization_id = $1
      union select name from api_keys where organization_id = $1
      union select merchant_name from external_transactions where organization_id = $1 and merchant_name is not null
      union select u.name from users u join memberships m on m.user_id = u.id where m.organization_id = $1`,
    [organizationId],
  );
  return rows.map(({ name }) => name).filter((name) => name.length > 6);
}

/** A new, empty organization, and its owner. */
async function addStranger(owner: pg.Pool): Promise<string> {
  const now = new Date();
  const userId = newId(now);
  const email = `stranger-${userId}@example.com`;
  const organizationId = await addOrganization(owner, "Elsewhere");
  await owner.query(
    "insert into users (id, email, name, password_hash, created_at) values ($1, $2, 'Stranger', $3, $4)",
    [userId, email, await hashPassword(PASSWORD), now],
  );
  await owner.query("insert into memberships values ($1, $2, 'OWNER', $3)", [organizationId, userId, now]);
  return email;
}

async function signIn(request: APIRequestContext, email: string): Promise<void> {
  const { appUrl } = demo();
  const { csrfToken } = await (await request.get(`${appUrl}/api/auth/csrf`)).json();
  await request.post(`${appUrl}/api/auth/callback/password`, {
    form: { csrfToken, email, password: PASSWORD },
    maxRedirects: 0,
  });
  expect((await request.get(`${appUrl}/help`)).url()).toContain("/help");
}
