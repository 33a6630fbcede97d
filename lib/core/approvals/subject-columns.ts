import { callerKind } from "@/lib/core/assistants/caller-kind";

/** A subject's status in SQL, of `proposals p` with `SUBJECT_JOINS`. */
export const SUBJECT_STATUS = "coalesce(t.status, e.status)";

/** Who asks, of `proposals p` with `SUBJECT_JOINS`, where `$1` is the organization. */
export const ASKER_KIND = callerKind(
  "coalesce(t.proposed_by_kind, e.started_by_kind)",
  "coalesce(t.proposed_by_id, e.started_by_id)",
);

export const SUBJECT_JOINS = `
  left join transfers t on p.kind = 'TRANSFER' and t.organization_id = p.organization_id and t.id = p.id
  left join rule_executions e on p.kind = 'RULE_RUN' and e.organization_id = p.organization_id and e.id = p.id`;
