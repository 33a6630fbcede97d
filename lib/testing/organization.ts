import { hash } from "node:crypto";
import type { ExternalAccountType } from "@/lib/contract/account";
import type { MemberRole } from "@/lib/contract/members";
import type { PermissionInput } from "@/lib/contract/permissions";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordDeposit } from "@/lib/core/transfers/collect-bank-notices";
import { newId, newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { createApiKey } from "@/lib/testing/as-entered";
import type { TestDatabase } from "@/lib/testing/database";

export interface TestAccount {
  name: string;
  type: "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT";
  externalAccountType?: ExternalAccountType;
  floorInCents?: number;
  /** Managed: booked as a deposit. Outside: the provider's last balance. */
  balanceInCents?: number;
}

/** Of a random text that was thrown away: it can be verified, and no password fits. */
const UNKNOWN_PASSWORD_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$kf+Sk6N51Bbwb6xIENk6kA$qjJyEzLKv0jM0l7ULM9Y7ZgPutyYcHK3PndMiYnDBF0";

/**
 * An organization with an owner, for tests of the core. Written through the owner's role where the core has no command.
 */
export async function createTestOrganization(
  database: Pick<TestDatabase, "pool" | "ownerPool">,
  services: Services,
  name = "Northwind",
) {
  const now = services.clock.now();
  const organizationId = newId(now);
  const beneficiaryId = newId(now);
  const clearingLedgerId = newId(now);
  const { ownerPool, pool } = database;
  await ownerPool.query(
    "insert into organizations values ($1, $2, 'BUSINESS', 'America/New_York', 0, $3, $4, $5)",
    [organizationId, name, clearingLedgerId, beneficiaryId, now],
  );
  await ownerPool.query("insert into beneficiaries values ($1, $2, $3, 'BUSINESS', $4)", [
    organizationId,
    beneficiaryId,
    name,
    now,
  ]);
  await pool.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'CLEARING')", [
    organizationId,
    clearingLedgerId,
  ]);

  async function addMember(role: MemberRole, memberName: string): Promise<Context<MemberActor>> {
    const userId = newId(now);
    const sessionId = newId(now);
    const email = `${memberName.toLowerCase()}-${userId}@example.com`;
    await ownerPool.query(
      "insert into users (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)",
      [userId, email, memberName, UNKNOWN_PASSWORD_HASH, now],
    );
    await ownerPool.query("insert into memberships values ($1, $2, $3, $4)", [
      organizationId,
      userId,
      role,
      now,
    ]);
    await ownerPool.query(
      `insert into sessions (id, user_id, organization_id, method, authenticated_at, last_seen_at, expires_at, user_agent)
       values ($1, $2, $3, 'PASSWORD', $4, $4, $5, 'test')`,
      [sessionId, userId, organizationId, now, new Date(now.getTime() + 86_400_000)],
    );
    return {
      organizationId,
      actor: { kind: "MEMBER", id: userId, name: memberName, email, role, sessionId, authenticatedAt: now },
      now,
      requestId: newRequestId(),
      calledReason: null,
    };
  }

  const owner = await addMember("OWNER", "Mara");

  async function addAccount(account: TestAccount): Promise<string> {
    const id = newId(services.clock.now());
    await pool.query(
      `insert into accounts (organization_id, id, type, name, external_account_type, floor_in_cents, beneficiary_id,
          account_number_last4, routing_number_last4, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, '4471', '0021', $8, $8)`,
      [
        organizationId,
        id,
        account.type,
        account.name,
        account.type === "EXTERNAL_ACCOUNT" ? (account.externalAccountType ?? "DEPOSITORY") : null,
        account.floorInCents ?? null,
        beneficiaryId,
        now,
      ],
    );
    if (account.type === "EXTERNAL_ACCOUNT") {
      await pool.query(
        `insert into provider_balances (organization_id, account_id, balance_in_cents, available_balance_in_cents, refreshed_at)
         values ($1, $2, $3, $3, $4)`,
        [organizationId, id, account.balanceInCents ?? null, now],
      );
    } else {
      await pool.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'MANAGED')", [
        organizationId,
        id,
      ]);
      if (account.balanceInCents) await deposit(id, account.balanceInCents);
    }
    return id;
  }

  async function deposit(accountId: string, amountInCents: number): Promise<void> {
    const arrivedAt = services.clock.now();
    await recordDeposit(services, {
      organizationId,
      reference: hash("sha256", newId(arrivedAt)),
      accountId,
      amountInCents,
      origin: "DIRECT_DEPOSIT",
      payerName: "Halden Health",
      arrivedAt,
    });
  }

  /** A key, and the context of its authenticated requests. */
  async function addKey(
    permissions: PermissionInput[],
    keyName = "test-key",
    dailyCapInCents: number | null = null,
  ) {
    const key = await createApiKey(
      services,
      { ...owner, now: services.clock.now() },
      { name: keyName, permissions, dailyCapInCents },
    );
    const authentication = await authenticateApiKey(services, key.text);
    if (!authentication) throw new Error("A new key does not authenticate");
    return {
      ...key,
      context: {
        organizationId,
        actor: authentication.actor,
        now: authentication.now,
        requestId: newRequestId(),
        calledReason: null,
      },
    };
  }

  return { organizationId, clearingLedgerId, beneficiaryId, owner, addMember, addAccount, addKey, deposit };
}
