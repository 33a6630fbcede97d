import type { Queryable } from "@/lib/db/transaction";

/** A value that the product's secret encrypts, where it is stored. */
export interface SealedValue {
  /** Identifies its row. */
  keys: readonly string[];
  sealed: Buffer;
  /** Whose it is, as `Encryption` has it. */
  context: string;
}

/** A column of such values. */
export interface SealedColumn {
  /** `table.column`. */
  name: string;
  /** As `createEncryption` has it. */
  purpose: string;
  /** The next values after a row, in the order of the primary key; from the first one on without. */
  read(client: Queryable, after: readonly string[] | null, limit: number): Promise<SealedValue[]>;
  /** Replaces a value unless it was changed since it was read. @returns whether it did */
  replace(client: Queryable, value: SealedValue, renewed: Buffer): Promise<boolean>;
}

const NO_ID = "00000000-0000-0000-0000-000000000000";

interface Row {
  keys: string[];
  sealed: Buffer;
  context: string;
}

/** Every column that holds what the product's secret encrypts: their values are encrypted again when it is replaced. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  column({
    name: "authenticators.sealed_secret",
    purpose: "authenticator secrets",
    first: [NO_ID],
    select: `select array[user_id::text] as keys, user_id::text as context, sealed_secret as sealed from authenticators
              where user_id > $1::uuid order by user_id limit $2`,
    update: "update authenticators set sealed_secret = $3 where user_id = $1::uuid and sealed_secret = $2",
  }),
  column({
    name: "push_devices.subscription",
    purpose: "push subscriptions",
    first: [NO_ID],
    select: `select array[id::text] as keys, id::text as context, subscription as sealed from push_devices
              where id > $1::uuid order by id limit $2`,
    update: "update push_devices set subscription = $3 where id = $1::uuid and subscription = $2",
  }),
  column({
    name: "webhook_endpoints.sealed_secret",
    purpose: "webhook signing secrets",
    first: [NO_ID, NO_ID],
    select: `select array[organization_id::text, id::text] as keys, organization_id || '/' || id as context,
                sealed_secret as sealed from webhook_endpoints
              where (organization_id, id) > ($1::uuid, $2::uuid) and sealed_secret is not null
              order by organization_id, id limit $3`,
    update: `update webhook_endpoints set sealed_secret = $4
              where organization_id = $1::uuid and id = $2::uuid and sealed_secret = $3`,
  }),
  column({
    name: "connections.sealed_access_token",
    purpose: "aggregator access",
    first: [NO_ID, NO_ID],
    select: `select array[organization_id::text, id::text] as keys, organization_id || '/' || id as context,
                sealed_access_token as sealed from connections
              where (organization_id, id) > ($1::uuid, $2::uuid) and sealed_access_token is not null
              order by organization_id, id limit $3`,
    update: `update connections set sealed_access_token = $4
              where organization_id = $1::uuid and id = $2::uuid and sealed_access_token = $3`,
  }),
  column({
    name: "oauth_records.payload",
    purpose: "oauth client secrets",
    first: [""],
    select: `select array[encode(id_hash, 'hex')] as keys, payload->>'client_id' as context,
                decode(translate(payload->>'sealed_secret', '-_', '+/')
                  || repeat('=', (4 - length(payload->>'sealed_secret') % 4) % 4), 'base64') as sealed
               from oauth_records
              where model = 'Client' and id_hash > decode($1, 'hex') and payload ? 'sealed_secret'
              order by id_hash limit $2`,
    update: `update oauth_records
                set payload = jsonb_set(payload, '{sealed_secret}',
                  to_jsonb(rtrim(translate(replace(encode($3::bytea, 'base64'), E'\\n', ''), '+/', '-_'), '=')))
              where model = 'Client' and id_hash = decode($1, 'hex')
                and payload->>'sealed_secret'
                  = rtrim(translate(replace(encode($2::bytea, 'base64'), E'\\n', ''), '+/', '-_'), '=')`,
  }),
  column({
    name: "transfer_documents.sealed_key",
    purpose: "document keys",
    first: [NO_ID, NO_ID],
    select: `select array[organization_id::text, id::text] as keys, organization_id || '/' || id as context,
                sealed_key as sealed from transfer_documents
              where (organization_id, id) > ($1::uuid, $2::uuid) order by organization_id, id limit $3`,
    update: `update transfer_documents set sealed_key = $4
              where organization_id = $1::uuid and id = $2::uuid and sealed_key = $3`,
  }),
  column({
    name: "kept_keys.sealed_key",
    purpose: "kept keys",
    first: [""],
    select: `select array[purpose] as keys, purpose as context, sealed_key as sealed from kept_keys
              where purpose > $1 order by purpose limit $2`,
    update: "update kept_keys set sealed_key = $3 where purpose = $1 and sealed_key = $2",
  }),
];

/** @returns how many values are stored */
export async function countSealedValues(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select ((select count(*) from authenticators) + (select count(*) from push_devices)
        + (select count(sealed_secret) from webhook_endpoints where organization_id is not null)
        + (select count(sealed_access_token) from connections where organization_id is not null)
        + (select count(*) from oauth_records where model = 'Client' and payload ? 'sealed_secret')
        + (select count(*) from transfer_documents where organization_id is not null)
        + (select count(*) from kept_keys))::float8 as count`,
  );
  return rows[0]?.count ?? 0;
}

function column({
  name,
  purpose,
  first,
  select,
  update,
}: {
  name: string;
  purpose: string;
  first: readonly string[];
  select: string;
  update: string;
}): SealedColumn {
  return {
    name,
    purpose,
    read: async (client, after, limit) =>
      (await client.query<Row>(select, [...(after ?? first), limit])).rows,
    replace: async (client, { keys, sealed }, renewed) =>
      (await client.query(update, [...keys, sealed, renewed])).rowCount === 1,
  };
}
