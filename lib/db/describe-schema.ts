import type { Queryable } from "./transaction";

/** The tables of each module, in the order in which the schema lists and creates them. */
const MODULES: Record<string, readonly string[]> = {
  shared: [
    "idempotency_results",
    "kept_answers",
    "throttles",
    "readiness_checks",
    "product_secrets",
    "kept_keys",
  ],
  organizations: [
    "organizations",
    "users",
    "memberships",
    "beneficiaries",
    "invitations",
    "organization_changes",
    "gate_closings",
    "saved_filters",
  ],
  "sign-in": [
    "sessions",
    "passkeys",
    "challenges",
    "step_ups",
    "recovery_codes",
    "authenticators",
    "known_browsers",
    "push_devices",
    "password_resets",
    "phone_codes",
    "sign_ups",
    "identity_checks",
  ],
  keys: [
    "api_keys",
    "rate_windows",
    "key_days",
    "key_charges",
    "key_networks",
    "key_habits",
    "key_alerts",
    "oauth_records",
  ],
  ledger: [
    "connections",
    "accounts",
    "ledgers",
    "provider_balances",
    "entries",
    "daily_flows",
    "own_bank_accounts",
    "increase_accounts",
  ],
  payees: ["payees", "payee_details", "payee_events", "payee_links", "cool_off_orders"],
  connections: ["connection_days", "external_transactions", "registered_accounts"],
  transfers: [
    "transfers",
    "bank_remarks",
    "bank_in_use",
    "outgoing_orders",
    "bank_notices",
    "bank_settlements",
    "account_corrections",
    "bank_inbox",
    "bank_events",
    "bank_feeds",
    "bank_unread_objects",
    "bank_unapplied_notices",
    "adopted_bank_accounts",
    "mercury_recipients",
    "mercury_orders",
    "transfer_reversals",
    "transfer_labels",
    "transfer_metadata",
    "transfer_documents",
    "document_pieces",
  ],
  cards: ["cards", "card_authorizations", "card_transactions", "card_months"],
  rules: [
    "rules",
    "rule_versions",
    "rule_version_discards",
    "rule_drafts",
    "rule_hooks",
    "rule_events",
    "rule_executions",
    "rule_skipped_times",
  ],
  approvals: [
    "approval_policies",
    "asked_changes",
    "mandates",
    "mandate_suggestions",
    "transfer_batches",
    "proposals",
    "signatures",
    "rule_deactivation_proposals",
    "denied_requests",
    "member_moves",
    "run_confirmations",
    "review_marks",
  ],
  reconciliation: [
    "bank_lines",
    "bank_line_causes",
    "bank_line_changes",
    "bank_matches",
    "bank_differences",
    "bank_difference_events",
    "reconciliations",
    "reconciliation_days",
  ],
  "fraud-monitoring": ["fraud_reviews"],
  audit: ["audit_entries", "audit_unsealed", "audit_seals", "audit_archives"],
  webhooks: ["webhook_endpoints", "webhook_events", "webhook_deliveries", "webhook_attempts", "webhook_days"],
  notifications: [
    "notices",
    "notification_preferences",
    "messages",
    "message_proposals",
    "person_messages",
    "mailbox_messages",
  ],
  sandbox: [
    "sandbox_actions",
    "sandbox_bank_orders",
    "sandbox_bank_notices",
    "sandbox_bank_deposits",
    "sandbox_bank_lost_submissions",
    "sandbox_bank_silences",
    "sandbox_bank_outside_accounts",
    "sandbox_bank_lines",
    "sandbox_bank_faults",
    "sandbox_institution_items",
    "sandbox_institution_accounts",
    "sandbox_institution_transactions",
    "sandbox_cards",
    "sandbox_card_purchases",
    "sandbox_card_notices",
    "sandbox_identity_applications",
    "sandbox_receivers",
    "sandbox_receipts",
  ],
};

interface Column {
  name: string;
  type: string;
  isNotNull: boolean;
  defaultExpression: string | null;
  isGenerated: boolean;
  isIdentity: boolean;
  /** Null: PostgreSQL's default. */
  statisticsTarget: number | null;
  comment: string | null;
}

interface Constraint {
  name: string;
  kind: "p" | "u" | "c" | "f";
  definition: string;
  columns: string[];
  /** Of a foreign key. */
  referencedTable: string | null;
  comment: string | null;
}

interface Described {
  name: string;
  definition: string;
  comment: string | null;
}

interface Grant {
  privilege: string;
  /** Null: the whole table. */
  column: string | null;
}

interface Table {
  name: string;
  isUnlogged: boolean;
  storage: string[] | null;
  comment: string | null;
  columns: Column[];
  constraints: Constraint[];
  indexes: Described[];
  triggers: Described[];
  grants: Grant[];
}

/**
 * The schema as one readable SQL text, read from PostgreSQL's catalogs: the result of all migrations, grouped by
 * module, with comments beside what they describe. Functions are left out: each has its own file.
 * @param client connected to a migrated database, as its owner
 * @param applicationRole the role whose privileges are listed
 * @throws Error naming a table that belongs to no module
 */
export async function describeSchema(client: Queryable, applicationRole: string): Promise<string> {
  const [tables, types] = [await readTables(client, applicationRole), await readTypes(client)];
  const known = Object.values(MODULES).flat();
  const unknown = tables.find(({ name }) => !known.includes(name) && name !== "sluice_migrations");
  if (unknown)
    throw new Error(`${unknown.name} belongs to no module: add it to MODULES in describe-schema.ts.`);
  const made = new Set<string>();
  const later: string[] = [];
  const sections = Object.entries(MODULES).map(([module, names]) => {
    const own = names.flatMap((name) => tables.find((table) => table.name === name) ?? []);
    return [
      `-- ${module} ${"─".repeat(116 - module.length)}`,
      ...own.map((table) => renderTable(table, made, later)),
    ];
  });
  const parts = [
    ...(types.length > 0 ? [types.join("\n")] : []),
    ...sections.flat(),
    ...(later.length > 0 ? ["-- References to tables that are made later", later.join("\n")] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

async function readTables(client: Queryable, applicationRole: string): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, c.relpersistence = 'u' as "isUnlogged", c.reloptions as storage,
        obj_description(c.oid, 'pg_class') as comment,
        (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
              'isNotNull', a.attnotnull, 'defaultExpression', pg_get_expr(d.adbin, d.adrelid),
              'isGenerated', a.attgenerated <> '', 'isIdentity', a.attidentity = 'a',
              'statisticsTarget', nullif(a.attstattarget, -1),
              'comment', col_description(c.oid, a.attnum)) order by a.attnum)
           from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
        coalesce((select json_agg(json_build_object('name', k.conname, 'kind', k.contype,
              'definition', pg_get_constraintdef(k.oid, true),
              'columns', (select json_agg(a.attname order by p.place) from unnest(k.conkey) with ordinality p (attnum, place)
                join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.attnum),
              'referencedTable', (select r.relname from pg_class r where r.oid = k.confrelid),
              'comment', obj_description(k.oid, 'pg_constraint')) order by array_position('{p,u,f,c}', k.contype::text), k.oid)
           from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f')), '[]') as constraints,
        coalesce((select json_agg(json_build_object('name', x.relname, 'definition', pg_get_indexdef(i.indexrelid),
              'comment', obj_description(i.indexrelid, 'pg_class')) order by x.relname)
           from pg_index i join pg_class x on x.oid = i.indexrelid
          where i.indrelid = c.oid
            and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))),
          '[]') as indexes,
        coalesce((select json_agg(json_build_object('name', t.tgname, 'definition', pg_get_triggerdef(t.oid, true),
              'comment', obj_description(t.oid, 'pg_trigger')) order by t.tgname)
           from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal), '[]') as triggers,
        coalesce((select json_agg(json_build_object('privilege', lower(g.privilege), 'column', g.col)
              order by g.privilege, g.place)
           from (select p.privilege_type as privilege, null::text as col, 0 as place
                   from aclexplode(c.relacl) p where p.grantee = $1::regrole
                 union all
                 select p.privilege_type, a.attname, a.attnum
                   from pg_attribute a cross join lateral aclexplode(a.attacl) p
                  where a.attrelid = c.oid and p.grantee = $1::regrole) g), '[]') as grants
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by c.relname`,
    [applicationRole],
  );
  return rows;
}

async function readTypes(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(`
    select format(E'create type %s as (\\n  %s\\n);', c.relname,
        string_agg(format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n  ' order by a.attnum)) as text
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'c'
     group by c.relname order by c.relname`);
  return rows.map(({ text }) => text);
}

/**
 * @param made the tables so far; this one is added
 * @param later receives references to tables further down
 */
function renderTable(table: Table, made: Set<string>, later: string[]): string {
  made.add(table.name);
  const inline = new Set<Constraint>();
  const width = Math.max(...table.columns.map(({ name }) => name.length));
  const columns = table.columns.map((column) => {
    const check = table.constraints.find(
      ({ kind, name }) => kind === "c" && name === `${table.name}_${column.name}_check`,
    );
    if (check) inline.add(check);
    return entry([column.comment, check?.comment ?? null], renderColumn(column, width, check));
  });
  const constraints = table.constraints
    .filter((constraint) => !inline.has(constraint))
    .flatMap((constraint) => {
      const text = wrap(renderConstraint(table.name, constraint), "    ");
      if (constraint.referencedTable === null || made.has(constraint.referencedTable))
        return entry([constraint.comment], text);
      later.push(wrap(`alter table ${table.name} add ${text};`, "  "));
      return [];
    });
  const storage = table.storage ? ` with (${table.storage.join(", ")})` : "";
  return [
    ...commentLines(table.comment, ""),
    `create ${table.isUnlogged ? "unlogged " : ""}table ${table.name} (`,
    [...columns, ...constraints].join(",\n"),
    `)${storage};`,
    ...renderStatistics(table),
    ...table.indexes.flatMap(({ definition, comment }) => [
      ...commentLines(comment, ""),
      wrap(`${readable(definition.replace(" ON public.", " ON ").replace(" USING btree", ""))};`, "  "),
    ]),
    ...table.triggers.flatMap(({ definition, comment }) => [
      ...commentLines(comment, ""),
      wrap(`${readable(definition)};`, "  "),
    ]),
    ...renderGrants(table),
  ].join("\n");
}

function renderColumn(column: Column, width: number, check: Constraint | undefined): string {
  const parts = [column.name.padEnd(width), column.type.replace("timestamp with time zone", "timestamptz")];
  if (column.isNotNull) parts.push("not null");
  if (column.defaultExpression !== null) {
    const expression = readable(column.defaultExpression);
    parts.push(column.isGenerated ? `generated always as (${expression}) stored` : `default ${expression}`);
  }
  if (column.isIdentity) parts.push("generated always as identity");
  if (check) parts.push(readable(check.definition));
  return wrap(parts.join(" "), "    ");
}

/** Omits the name where PostgreSQL would choose the same. */
function renderConstraint(table: string, { name, kind, definition, columns }: Constraint): string {
  const text = readable(definition);
  const given = {
    p: `${table}_pkey`,
    u: `${table}_${columns.join("_")}_key`,
    f: `${table}_${columns.join("_")}_fkey`,
    c: null,
  }[kind];
  return name === given ? text : `constraint ${name} ${text}`;
}

/** Columns without statistics: plans must not depend on which organization is the largest. */
function renderStatistics({ name, columns }: Table): string[] {
  const set = columns.filter(({ statisticsTarget }) => statisticsTarget !== null);
  if (set.length === 0) return [];
  const changes = set.map(
    (column) => `alter column ${column.name} set statistics ${column.statisticsTarget}`,
  );
  return [`alter table ${name}\n  ${changes.join(",\n  ")};`];
}

function renderGrants({ name, grants }: Table): string[] {
  const whole = grants.filter(({ column }) => column === null).map(({ privilege }) => privilege);
  const ofColumns = grants.filter(({ column, privilege }) => column !== null && !whole.includes(privilege));
  const texts = [...new Set(ofColumns.map(({ privilege }) => privilege))].map((privilege) => {
    const columns = ofColumns.filter((grant) => grant.privilege === privilege).map(({ column }) => column);
    return `${privilege} (${columns.join(", ")})`;
  });
  return [...(whole.length > 0 ? [whole.join(", ")] : []), ...texts].map((privileges) =>
    wrap(`grant ${privileges} on ${name} to :"app_role";`, "  "),
  );
}

const entry = (comments: (string | null)[], text: string) =>
  [...comments.flatMap((comment) => commentLines(comment, "  ")), `  ${text}`].join("\n");

function commentLines(comment: string | null, indent: string): string[] {
  return (comment ?? "").split("\n").flatMap((line) => (line === "" ? [] : `${indent}-- ${line}`));
}

const KEYWORDS =
  /\b(?:CREATE|UNIQUE|INDEX|ON|WHERE|INCLUDE|CHECK|PRIMARY|FOREIGN|KEY|REFERENCES|AND|OR|NOT|NULL|IS|IN|ANY|ARRAY|DESC|ASC|NULLS|FIRST|LAST|DISTINCT|BETWEEN|CASE|WHEN|THEN|ELSE|END|TRUE|FALSE|TRIGGER|AFTER|BEFORE|INSERT|UPDATE|DELETE|TRUNCATE|OF|REFERENCING|NEW|OLD|TABLE|AS|FOR|EACH|ROW|STATEMENT|EXECUTE|FUNCTION|DEFERRABLE|INITIALLY|DEFERRED|CONSTRAINT|FROM|AT|TIME|ZONE|LIKE|COALESCE|GREATEST|LEAST|NULLIF|VALID)\b/g;

/** PostgreSQL's definitions in our style: lowercase keywords, `in (…)`, no casts of literals to text. */
function readable(definition: string): string {
  return definition
    .replace(/ = ANY \(ARRAY\[([^\]]*)\]\)/g, " in ($1)")
    .replace(/('(?:[^']|'')*')::text/g, "$1")
    .replace(/'(\d+)'::bigint/g, "$1")
    .replace(/( REFERENCES \w+)\(/, "$1 (")
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(KEYWORDS, (word) => word.toLowerCase())))
    .join("");
}

const MAXIMUM_WIDTH = 120;

/** Breaks between words, never inside a literal. */
function wrap(text: string, indent: string): string {
  const words = text.match(/(?:'(?:[^']|'')*'|[^\s'])+\s*/g) ?? [];
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.trimEnd().length > MAXIMUM_WIDTH - 4 && line.trim() !== "")
      lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = line + word;
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}
