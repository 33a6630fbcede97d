/**
 * SQL for the kind of caller who proposed, started or created something. Tables store callers; people see whether it was
 * a key or an assistant. For queries whose `$1` is the organization.
 * @param kind expression of the stored kind, `API_KEY` among others
 * @param id expression of the stored id
 */
export function callerKind(kind: string, id: string): string {
  return `case when ${kind} = 'API_KEY' and exists (
      select from api_keys caller
       where caller.organization_id = $1 and caller.id = ${id} and caller.client_id is not null)
    then 'ASSISTANT' else ${kind} end`;
}

/** SQL: a batch counts as one proposal, by its first line. Of proposals `of`; empty where the table has no alias. */
export const onePerBatch = (of: "p" | "w" | ""): string => {
  const line = of === "" ? "batch_line" : `${of}.batch_line`;
  return `(${line} is null or ${line} = 1)`;
};

/** A subject's status in SQL, of `proposals p` with `SUBJECT_JOINS`. */
export const SUBJECT_STATUS = "coalesce(t.status, e.status)";

/** A run held by a key's cap is requested by the key, whatever triggered it last: without the key it would not exist. */
const IS_HELD = "p.kind = 'RULE_RUN' and p.cap_in_cents is not null";

/** Who requests, from `proposals p` with `SUBJECT_JOINS`, where `$1` is the organization. */
export const REQUESTER_ID = `case when ${IS_HELD} then p.api_key_id else coalesce(t.proposed_by_id, e.started_by_id) end`;

export const REQUESTER_KIND = callerKind(
  `case when ${IS_HELD} then 'API_KEY' else coalesce(t.proposed_by_kind, e.started_by_kind) end`,
  REQUESTER_ID,
);

/** Null where a program gave no name. */
export const REQUESTER_NAME = `case when ${IS_HELD}
    then (select held.name from api_keys held where held.organization_id = $1 and held.id = p.api_key_id)
    else coalesce(t.proposed_by_name, e.started_by_name) end`;

/** One by one: PostgreSQL knows little of organizations' sizes, and a join might read all transfers of a large one. */
export const SUBJECT_JOINS = `
  left join lateral (select * from transfers where p.kind = 'TRANSFER' and organization_id = p.organization_id and id = p.id offset 0) t on true
  left join lateral (
    select * from rule_executions where p.kind = 'RULE_RUN' and organization_id = p.organization_id and id = p.id offset 0) e on true`;
