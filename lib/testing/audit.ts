import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { AuditEntry } from "@/lib/core/shared/audit-entry";
import { newId, newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** An entry as a key's request writes it, for tests of what happens to entries. */
export function testEntry(
  services: Pick<Services, "clock">,
  organizationId: string,
  fields: Partial<AuditEntry> = {},
): AuditEntry {
  const now = services.clock.now();
  return {
    organizationId,
    id: newId(now),
    createdAt: now.toISOString(),
    apiKeyId: newId(now),
    apiKeyName: "claude-taxes",
    method: "GET",
    path: "/platform/v1/accounts",
    action: "LIST_ACCOUNTS",
    reason: null,
    requestId: newRequestId(),
    outcome: "SUCCESS",
    errorCode: null,
    errorDetail: null,
    ...fields,
  };
}

/** Writes entries in one statement, as the product does. */
export async function writeEntries(
  database: Pick<Services["pool"], "query">,
  entries: readonly AuditEntry[],
): Promise<void> {
  await database.query("select write_audit_entries($1)", [JSON.stringify(entries)]);
}

/** What someone with the owner's rights could do to the log. */
export interface Tampering {
  kind: (typeof TAMPERING_KINDS)[number];
  /** A sequence, and another one to swap it with. */
  at: number;
  other: number;
  /** Which column, and by how much. */
  pick: number;
}

export const TAMPERING_KINDS = [
  "ALTER_ENTRY",
  "ALTER_SEAL",
  "REMOVE_ENTRY",
  "REMOVE_SEAL",
  "REMOVE_LINK",
  "CUT_END",
  "INSERT_ENTRY",
  "INSERT_LINK",
  "SWAP_ENTRIES",
  "SWAP_SEALS",
  "SWAP_SEALED",
] as const;

/**
 * Alters the log behind the product's back.
 * @param owner inside a transaction of the tables' owner, which the caller rolls back
 */
export async function tamper(owner: pg.PoolClient, organizationId: string, one: Tampering): Promise<void> {
  await owner.query("alter table audit_entries disable trigger user");
  await owner.query("alter table audit_seals disable trigger user");
  for (const statement of await plan(owner, organizationId, one)) await owner.query(statement);
}

async function plan(
  owner: pg.PoolClient,
  organizationId: string,
  { kind, at, other, pick }: Tampering,
): Promise<string[]> {
  const log = `organization_id = '${organizationId}'`;
  const seal = `${log} and sequence = ${at}`;
  const entry = `${log} and id = (select entry_id from audit_seals where ${seal})`;
  const read = async (column: string): Promise<string[]> => {
    const { rows } = await owner.query<{ value: string }>(
      `select ${column}::text as value from audit_seals where ${log} and sequence in (${at}, ${other})`,
    );
    return rows.map(({ value }) => value);
  };
  const id = randomUUID();
  const copyEntry = `
    insert into audit_entries
      select (jsonb_populate_record(e, jsonb_build_object('id', '${id}'))).* from audit_entries e where ${entry}`;
  switch (kind) {
    case "ALTER_ENTRY":
      return [`update audit_entries set ${alteredEntry(pick)} where ${entry}`];
    case "ALTER_SEAL":
      return [`update audit_seals set ${alteredSeal(pick)} where ${seal}`];
    case "REMOVE_ENTRY":
      return [`delete from audit_entries where ${entry}`];
    case "REMOVE_SEAL":
      return [`delete from audit_seals where ${seal}`];
    case "REMOVE_LINK":
      return [
        `delete from audit_entries where ${entry}`,
        `delete from audit_seals where ${seal}`,
        ...moveSeals(log, at, -1),
      ];
    case "CUT_END":
      return [
        `delete from audit_entries where ${log} and id in (
           select entry_id from audit_seals where ${log} and sequence >= ${at})`,
        `delete from audit_seals where ${log} and sequence >= ${at}`,
      ];
    case "INSERT_ENTRY":
      return [copyEntry];
    case "INSERT_LINK":
      return [
        copyEntry,
        ...moveSeals(log, at, 1),
        `insert into audit_seals select organization_id, sequence + 1, '${id}', entry_hash, sha256(hash), sealed_at
           from audit_seals where ${seal}`,
      ];
    case "SWAP_ENTRIES":
      return exchange(log, "audit_entries", "id", await read("entry_id"), id);
    case "SWAP_SEALS":
      return exchange(log, "audit_seals", "sequence", await read("sequence"), "1000000");
    case "SWAP_SEALED":
      return [
        ...exchange(log, "audit_seals", "entry_id", await read("entry_id"), id),
        ...exchange(log, "audit_seals", "entry_hash", await read("entry_hash"), `\\x${"00".repeat(32)}`),
      ];
  }
}

/** Shifts the seals after a position by one; the farthest first, because sequences are unique. */
function moveSeals(log: string, at: number, by: number): string[] {
  return [
    `update audit_seals set sequence = sequence + 1000000 where ${log} and sequence > ${at}`,
    `update audit_seals set sequence = sequence - 1000000 + ${by} where ${log} and sequence > 1000000`,
  ];
}

/** Through an unused value, because the column is unique. */
function exchange(log: string, table: string, column: string, [a, b]: string[], free: string): string[] {
  const replace = (from: string | undefined, to: string | undefined) =>
    `update ${table} set ${column} = '${to}' where ${log} and ${column} = '${from}'`;
  return [replace(a, free), replace(b, a), replace(free, b)];
}

/** Each value differs from the original. */
function alteredEntry(pick: number): string {
  const isEven = pick % 2 === 0;
  const alterations = [
    "organization_id = gen_random_uuid()",
    "id = gen_random_uuid()",
    `created_at = created_at + ${1 + (pick % 5_000)} * interval '1 microsecond'`,
    // The same year in the other era.
    "created_at = created_at - interval '4051 years'",
    "api_key_id = gen_random_uuid()",
    `api_key_name = api_key_name || ${pick}`,
    "api_key_name = left(api_key_name, -1)",
    "method = 'POST'",
    `path = path || ${pick}`,
    `action = ${isEven ? "null" : "'GET_ACCOUNT'"}`,
    "reason = case when reason is null then '' end",
    `request_id = '${pick}'`,
    "outcome = 'SUCCESS'",
    `error_code = ${isEven ? "null" : "'INVALID_PARAMETERS'"}`,
    `error_detail = coalesce(error_detail, '') || ${pick}`,
    // Moves the boundary between two texts.
    "method = method || left(path, 1), path = substr(path, 2)",
  ];
  return alterations[Math.floor(pick / 2) % alterations.length] ?? "";
}

function alteredSeal(pick: number): string {
  const alterations = [
    "organization_id = gen_random_uuid()",
    `sequence = sequence + ${1_000 + pick}`,
    "entry_id = gen_random_uuid()",
    "entry_hash = sha256(entry_hash)",
    "hash = sha256(hash)",
    `sealed_at = sealed_at + ${1 + (pick % 5_000)} * interval '1 microsecond'`,
  ];
  return alterations[pick % alterations.length] ?? "";
}
