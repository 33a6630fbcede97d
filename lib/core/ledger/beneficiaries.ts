import type { z } from "zod";
import { type Beneficiary, MAXIMUM_BENEFICIARIES, type newBeneficiarySchema } from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import { renderedName } from "@/lib/contract/plain-text";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** Who may own an account of this organization, oldest first. Every valid key may read it (specification, Part 5). */
export async function listBeneficiaries(
  services: Pick<Services, "pool">,
  context: Context,
  input: PageRequest,
): Promise<Page<Beneficiary>> {
  const { rows } = await services.pool.query<Beneficiary>({
    name: "list_beneficiaries",
    text: `
      select id, name, beneficiary_type as "beneficiaryType" from beneficiaries
       where organization_id = $1 and removed_at is null order by id limit $2 offset $3`,
    values: [context.organizationId, input.pageSize + 1, (input.page - 1) * input.pageSize],
  });
  return toPage(rows, input, (row) => row);
}

/**
 * The name of a beneficiary that was not removed, locked until the commit, so that a concurrent removal waits.
 * @throws AppError `INVALID_PARAMETERS` when the organization has no such beneficiary.
 */
async function lockBeneficiary(
  client: Queryable,
  organizationId: string,
  beneficiaryId: string,
): Promise<{ name: string; isDefault: boolean }> {
  const { rows } = await client.query<{ name: string; isDefault: boolean }>(
    `select b.name, o.default_beneficiary_id = b.id as "isDefault"
       from beneficiaries b join organizations o on o.id = b.organization_id
      where b.organization_id = $1 and b.id = $2 and b.removed_at is null for update of b`,
    [organizationId, beneficiaryId],
  );
  const row = rows[0];
  if (!row)
    throw new AppError(
      "INVALID_PARAMETERS",
      "This beneficiary does not exist or was removed. Nothing was changed.",
    );
  return { name: row.name, isDefault: row.isDefault };
}

/**
 * Adds a beneficiary who may own accounts of this organization. It opens no account and moves nothing.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for an invalid field, a name
 * that is taken, and above MAXIMUM_BENEFICIARIES.
 */
export async function createBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { name, beneficiaryType }: z.output<typeof newBeneficiarySchema>,
): Promise<string> {
  const { organizationId, now } = context;
  const id = newId(now);
  await inTransaction(services.pool, async (client) => {
    // Locked: of two concurrent additions of a name, the second one finds it.
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "add a beneficiary");
    await requireNewName(client, organizationId, name);
    await requireRoom(client, organizationId);
    await client.query(
      `insert into beneficiaries (organization_id, id, name, beneficiary_type, created_at)
       values ($1, $2, $3, $4, $5)`,
      [organizationId, id, name, beneficiaryType, now],
    );
  });
  return id;
}

/** Under `lockOrganization`, so the name stays free. @throws AppError `INVALID_PARAMETERS` where it is taken. */
async function requireNewName(
  client: Queryable,
  organizationId: string,
  name: string,
  exceptId: string | null = null,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from beneficiaries where organization_id = $1 and removed_at is null
        and id is distinct from $2::uuid limit ${MAXIMUM_BENEFICIARIES}`,
    [organizationId, exceptId],
  );
  if (rows.every((row) => renderedName(row.name) !== renderedName(name))) return;
  const message = "A beneficiary with this name already exists.";
  throw new AppError("INVALID_PARAMETERS", message, [{ field: "name", message }]);
}

async function requireRoom(client: Queryable, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from beneficiaries where organization_id = $1 and removed_at is null",
    [organizationId],
  );
  if ((rows[0]?.count ?? 0) < MAXIMUM_BENEFICIARIES) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    `There are ${MAXIMUM_BENEFICIARIES} beneficiaries, the maximum. Nothing was added.`,
  );
}

/**
 * Changes the legal name of a beneficiary. All of their accounts show it from then on; past transfers keep the old one.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for a name that is taken, and
 * where there is no such beneficiary.
 */
export async function renameBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { beneficiaryId, name }: { beneficiaryId: string; name: string },
): Promise<void> {
  const { organizationId } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "rename a beneficiary");
    const before = await lockBeneficiary(client, organizationId, beneficiaryId);
    if (before.name === name) return;
    await requireNewName(client, organizationId, name, beneficiaryId);
    await client.query("update beneficiaries set name = $3 where organization_id = $1 and id = $2", [
      organizationId,
      beneficiaryId,
      name,
    ]);
    await recordChange(client, context, {
      kind: "BENEFICIARY_RENAMED",
      subject: before.name,
      before: before.name,
      after: name,
    });
  });
}

/**
 * Removes a beneficiary from the list: new accounts can no longer name them; closed accounts still do.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for the default one, where
 * they have an open account, and where there is no such beneficiary.
 */
export async function removeBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  beneficiaryId: string,
): Promise<void> {
  const { organizationId, now } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "remove a beneficiary");
    const { name, isDefault } = await lockBeneficiary(client, organizationId, beneficiaryId);
    if (isDefault) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "This is the default for new accounts. Nothing was changed. Make another one the default first.",
      );
    }
    await requireNoOpenAccount(client, organizationId, beneficiaryId);
    await client.query("update beneficiaries set removed_at = $3 where organization_id = $1 and id = $2", [
      organizationId,
      beneficiaryId,
      now,
    ]);
    await recordChange(client, context, {
      kind: "BENEFICIARY_REMOVED",
      subject: name,
      before: null,
      after: null,
    });
  });
}

async function requireNoOpenAccount(
  client: Queryable,
  organizationId: string,
  beneficiaryId: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string; count: number }>(
    `select min(name) as name, count(*)::int as count from accounts
      where organization_id = $1 and beneficiary_id = $2 and deleted_at is null`,
    [organizationId, beneficiaryId],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  const others = count === 1 ? "" : ` and ${count - 1} more`;
  throw new AppError(
    "INVALID_PARAMETERS",
    `${rows[0]?.name}${others} ${count === 1 ? "belongs" : "belong"} to them. Nothing was changed. Close ${count === 1 ? "it" : "them"} first.`,
  );
}

/**
 * Sets who owns new accounts when none is named, including those that keys open. Existing accounts keep their owner.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` where there is no such
 * beneficiary.
 */
export async function setDefaultBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  beneficiaryId: string,
): Promise<void> {
  const { organizationId } = context;
  await inTransaction(services.pool, async (client) => {
    // Locked: of this and a concurrent removal, the second one finds what the first one did.
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "change the default beneficiary");
    const { name, isDefault } = await lockBeneficiary(client, organizationId, beneficiaryId);
    if (isDefault) return;
    const { rows } = await client.query<{ name: string }>(
      `select b.name from organizations o
         join beneficiaries b on b.organization_id = o.id and b.id = o.default_beneficiary_id where o.id = $1`,
      [organizationId],
    );
    await client.query("update organizations set default_beneficiary_id = $2 where id = $1", [
      organizationId,
      beneficiaryId,
    ]);
    await recordChange(client, context, {
      kind: "DEFAULT_BENEFICIARY",
      subject: null,
      before: rows[0]?.name ?? null,
      after: name,
    });
  });
}
