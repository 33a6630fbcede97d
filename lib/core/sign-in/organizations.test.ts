import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import { addMember } from "@/lib/core/organizations/add-member";
import { createOrganization } from "@/lib/core/organizations/create-organization";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { useTestDatabase } from "@/lib/testing/database";
import {
  makeMember,
  makeOrganization,
  TEST_PASSWORD,
  testBrowser,
  testServices,
} from "@/lib/testing/members";

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;

beforeAll(async () => {
  services = testServices(database);
});

const input = (email: string) => ({
  name: "Northwind Studio",
  kind: "BUSINESS" as const,
  timeZone: "America/New_York",
  owner: { email, name: "Olivia Owner", password: TEST_PASSWORD },
});

it("of many concurrent first setups, one creates the organization", async () => {
  const setups = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      createOrganization(services, { ...input(`owner${i}@example.com`), onlyAsFirst: true }),
    ),
  );
  expect(setups.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { rows } = await database.ownerPool.query(
    `select o.name, b.name as beneficiary, l.kind, m.role from organizations o
       join beneficiaries b on b.organization_id = o.id and b.id = o.default_beneficiary_id
       join ledgers l on l.organization_id = o.id and l.id = o.clearing_ledger_id
       join memberships m on m.organization_id = o.id`,
  );
  expect(rows).toEqual([
    { name: "Northwind Studio", beneficiary: "Northwind Studio", kind: "CLEARING", role: "OWNER" },
  ]);
  const { rowCount } = await database.ownerPool.query("select from users");
  expect(rowCount).toBe(1);
});

it.each([
  ["a weak password", { owner: { email: "a@example.com", name: "A", password: "short" } }, "owner.password"],
  ["no email address", { owner: { email: "a", name: "A", password: TEST_PASSWORD } }, "owner.email"],
  ["an unknown time zone", { timeZone: "Mars/Olympus" }, "timeZone"],
  ["no name", { name: " " }, "name"],
])("rejects %s, naming the field", async (_, change, field) => {
  const refused = createOrganization(services, { ...input("a@example.com"), ...change });
  await expect(refused).rejects.toThrow(AppError);
  await expect(refused).rejects.toThrow(new RegExp(`^${field} must `));
});

it("a person added to another organization keeps their password", async () => {
  const first = await makeOrganization(services);
  const second = await makeOrganization(services, "Second");
  const takeover = {
    email: first.ownerEmail.toUpperCase(),
    name: "Not Olivia",
    password: "an attacker's choice",
  };
  const added = await addMember(services, {
    ...takeover,
    organizationId: second.organizationId,
    role: "VIEWER",
  });
  expect(added).toEqual({ userId: first.ownerId, isNew: false });
  const signIn = (password: string) =>
    signInWithPassword(services, { email: first.ownerEmail, password }, testBrowser());
  expect(await signIn(takeover.password)).toEqual({ kind: "FAILED" });
  expect(await signIn(TEST_PASSWORD)).toMatchObject({ kind: "SIGNED_IN", userId: first.ownerId });
});

it("refuses a second membership in the same organization", async () => {
  const { organizationId } = await makeOrganization(services);
  const { email } = await makeMember(services, organizationId, "VIEWER");
  await expect(
    addMember(services, { organizationId, role: "OWNER", email, name: "M", password: TEST_PASSWORD }),
  ).rejects.toThrow("is already a member");
  const { rows } = await database.ownerPool.query(
    "select m.role from memberships m join users u on u.id = m.user_id where u.email = $1",
    [email],
  );
  expect(rows).toEqual([{ role: "VIEWER" }]);
});

it("a number counts as verified only if the person entering it vouches for it", async () => {
  const { organizationId } = await makeOrganization(services);
  const person = { organizationId, role: "OWNER" as const, name: "M", password: TEST_PASSWORD };
  const add = (isPhoneVerified: boolean) =>
    addMember(services, {
      ...person,
      email: `${randomUUID()}@example.com`,
      phone: "+14155550100",
      isPhoneVerified,
    });
  const [claimed, vouched] = [await add(false), await add(true)];
  const { rows } = await database.ownerPool.query(
    `select id, phone_verified_at is not null as "isVerified" from users where id in ($1, $2) order by 2`,
    [claimed.userId, vouched.userId],
  );
  expect(rows).toEqual([
    { id: claimed.userId, isVerified: false },
    { id: vouched.userId, isVerified: true },
  ]);
});
