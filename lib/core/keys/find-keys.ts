import { z } from "zod";
import { hashKeyText, isKeyText } from "@/lib/core/keys/key-text";
import type { Queryable } from "@/lib/db/transaction";

/** A key, or an assistant, which has no prefix. */
export interface FoundKey {
  kind: "API_KEY" | "ASSISTANT";
  organizationId: string;
  organizationName: string;
  clockOffsetMs: number;
  id: string;
  name: string;
  prefix: string | null;
  /** Of an assistant: the host to which its browser went back. */
  clientHost: string | null;
  madeByName: string;
  isRevoked: boolean;
}

interface FoundRow {
  organization_id: string;
  organization_name: string;
  clock_offset_ms: number;
  id: string;
  name: string;
  prefix: string | null;
  client_host: string | null;
  made_by_name: string;
  is_revoked: boolean;
}

/** Enough to tell that there is more than one. */
const LISTED = 10;

/**
 * The keys that an operator names, over all organizations: by the whole key, by its id, or by the prefix that the
 * dashboard shows; and the assistants, by their id. Those that work come first.
 */
export async function findKeys(database: Queryable, named: string): Promise<FoundKey[]> {
  const { rows } = await database.query<FoundRow>(
    `select k.organization_id, o.name as organization_name, o.clock_offset_ms, k.id, k.name, k.prefix,
        k.client_host,        maker.name as made_by_name, k.revoked_at is not null as is_revoked
       from api_keys k join organizations o on o.id = k.organization_id join users maker on maker.id = k.created_by
      where k.key_hash = $1 or k.id = $2 or k.prefix = $3
      order by k.revoked_at is not null, k.id limit ${LISTED}`,
    [
      isKeyText(named) ? hashKeyText(named) : null,
      z.uuid().safeParse(named).data ?? null,
      // With or without the mark of its having been cut.
      named.replace(/(…|\.{3})$/, ""),
    ],
  );
  return rows.map((row) => ({
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    clockOffsetMs: row.clock_offset_ms,
    id: row.id,
    name: row.name,
    kind: row.client_host === null ? "API_KEY" : "ASSISTANT",
    prefix: row.prefix,
    clientHost: row.client_host,
    madeByName: row.made_by_name,
    isRevoked: row.is_revoked,
  }));
}
