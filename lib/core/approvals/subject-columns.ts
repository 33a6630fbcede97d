/** A subject's status in SQL, of `proposals p` with `SUBJECT_JOINS`. */
export const SUBJECT_STATUS = "coalesce(t.status, e.status)";

export const SUBJECT_JOINS = `
  left join transfers t on p.kind = 'TRANSFER' and t.organization_id = p.organization_id and t.id = p.id
  left join rule_executions e on p.kind = 'RULE_RUN' and e.organization_id = p.organization_id and e.id = p.id`;
