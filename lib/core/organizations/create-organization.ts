import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { nameText } from "@/lib/contract/plain-text";
import { parseInput } from "@/lib/core/shared/parse-input";
import { findOrCreateUser, type HashedPerson, hashPerson, personSchema } from "@/lib/core/sign-in/person";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

export const organizationSchema = z.object({
  name: nameText(200),
  kind: z.enum(["INDIVIDUAL", "BUSINESS"]),
  /** IANA name, e.g. America/New_York. */
  timeZone: z.string().max(64).refine(isTimeZone, "must be a time zone like America/New_York"),
});

const inputSchema = organizationSchema.extend({
  owner: personSchema,
  /** Refuse if any organization already exists, even one created concurrently. */
  onlyAsFirst: z.boolean().default(false),
});

type CreateOrganizationInput = z.input<typeof inputSchema>;

export interface NewOrganization {
  organizationId: string;
  ownerId: string;
  clearingLedgerId: string;
  defaultBeneficiaryId: string;
}

/** Concurrent setups must not both find an empty database. An arbitrary number that no other lock uses. */
const SETUP_LOCK = 7_310_542_001;

/**
 * Creates an organization with its clearing ledger, default beneficiary (of the same name) and owner, in one transaction.
 * An existing person who becomes owner keeps their password.
 * @throws AppError `INVALID_PARAMETERS` for an invalid field, or with `onlyAsFirst` when it would not be the first.
 */
export async function createOrganization(
  services: Pick<Services, "pool" | "clock">,
  input: CreateOrganizationInput,
): Promise<NewOrganization> {
  const organization = parseInput(inputSchema, input);
  const owner = await hashPerson(organization.owner);
  const now = services.clock.now();
  return inTransaction(services.pool, async (client) => {
    if (organization.onlyAsFirst) await requireFirst(client);
    return writeOrganization(client, organization, owner, now);
  });
}

/**
 * Whether an organization created now would be the first. Concurrent callers wait until the caller's transaction ends, so
 * the answer stays true within it.
 */
export async function wouldBeFirst(client: Queryable): Promise<boolean> {
  await client.query("select pg_advisory_xact_lock($1)", [SETUP_LOCK]);
  const { rowCount } = await client.query("select 1 from organizations limit 1");
  return rowCount === 0;
}

async function requireFirst(client: Queryable): Promise<void> {
  if (!(await wouldBeFirst(client)))
    throw new AppError("INVALID_PARAMETERS", "An organization already exists. Nothing was changed.");
}

/** Writes an organization with everything that a new one needs, in the caller's transaction. */
export async function writeOrganization(
  client: Queryable,
  organization: z.output<typeof organizationSchema>,
  owner: HashedPerson,
  now: Date,
): Promise<NewOrganization> {
  const [organizationId, clearingLedgerId, defaultBeneficiaryId] = [newId(now), newId(now), newId(now)];
  await client.query(
    `insert into organizations (id, name, kind, time_zone, clearing_ledger_id, default_beneficiary_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      organizationId,
      organization.name,
      organization.kind,
      organization.timeZone,
      clearingLedgerId,
      defaultBeneficiaryId,
      now,
    ],
  );
  await client.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'CLEARING')", [
    organizationId,
    clearingLedgerId,
  ]);
  await client.query(
    `insert into beneficiaries (organization_id, id, name, beneficiary_type, created_at)
     values ($1, $2, $3, $4, $5)`,
    [organizationId, defaultBeneficiaryId, organization.name, organization.kind, now],
  );
  const { userId: ownerId } = await findOrCreateUser(client, owner, now);
  await client.query(
    "insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, 'OWNER', $3)",
    [organizationId, ownerId, now],
  );
  return { organizationId, ownerId, clearingLedgerId, defaultBeneficiaryId };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
