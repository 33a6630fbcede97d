import { createHmac, hkdfSync } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import type { Queryable } from "@/lib/db/transaction";

/**
 * The file of a backup: gzip around frames. A frame is one letter, four bytes of length (big endian) and as many bytes.
 *
 *   H  header, JSON: what a reader must know before it touches anything
 *   T  the beginning of a table, JSON
 *   D  a piece of that table's rows, as COPY writes them (text)
 *   E  the end of that table, JSON: how many rows, and their sum
 *   M  the last one: 32 bytes, an HMAC of all frames before it under a key of the product's secret
 *
 * A file that was cut off has no M; one that was altered, by chance or on purpose, has a wrong one.
 */
export const FRAME = { header: "H", tableBegin: "T", data: "D", tableEnd: "E", mac: "M" } as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  kind: FrameKind;
  payload: Buffer;
}

export const FRAME_HEAD_BYTES = 5;
/** A longer frame means a damaged length; no memory is reserved for it. */
export const MAX_FRAME_BYTES = 1_048_576;
/** Increased when an older Sluice could no longer read the format. */
export const FORMAT_VERSION = 1;
const MAX_TABLES = 10_000;

export const formatSchema = z.object({ format: z.number().int() });

export const headerSchema = z.object({
  format: z.number().int(),
  /** ISO 8601, real time: the moment that the backup's snapshot shows. */
  createdAt: z.iso.datetime(),
  /** Identifies the secret without revealing anything about it. */
  secretFingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  postgresVersion: z.string(),
  migrations: z
    .array(z.object({ number: z.number().int(), name: z.string(), sha256: z.string() }))
    .min(1)
    .max(MAX_TABLES),
  /** The minimum value of each sequence; unused sequences are omitted. */
  counters: z.array(z.object({ name: z.string().min(1), value: z.string() })).max(MAX_TABLES),
  tableCount: z.number().int().min(1).max(MAX_TABLES),
});
export type BackupHeader = z.infer<typeof headerSchema>;

export const tableBeginSchema = z.object({
  name: z.string().min(1),
  /** Excludes generated columns. */
  columns: z.array(z.string().min(1)).min(1),
});
export type BackupTable = z.infer<typeof tableBeginSchema>;

/** The number of rows of a table, and a checksum over them that does not depend on their order. */
export const tableSumSchema = z.object({ rowCount: z.string(), sum: z.string() });
export type TableSum = z.infer<typeof tableSumSchema>;

export function encodeFrameHead(kind: FrameKind, byteLength: number): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.write(kind, 0, "latin1");
  head.writeUInt32BE(byteLength, 1);
  return head;
}

/** Without the secret, a backup can be neither altered unnoticed nor forged. */
export function createMac(secret: string) {
  return createHmac("sha256", deriveKey(secret, "backup authentication"));
}

/** Lets a restore report a different secret instead of an altered file. */
export function secretFingerprint(secret: string): string {
  return deriveKey(secret, "backup fingerprint").toString("hex").slice(0, 16);
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `sluice/${purpose}`, 32));
}

interface Row {
  name: string;
  columns: string[];
}

/** Every table of the schema with its columns, except the generated ones, which PostgreSQL computes. */
export async function listTables(client: Queryable): Promise<BackupTable[]> {
  const { rows } = await client.query<Row>(`
    select c.relname as name,
        array(select a.attname::text from pg_attribute a
               where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
               order by a.attnum) as columns
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and ${NOT_OF_EXTENSION}
     order by c.relname`);
  return rows;
}

/** Excludes objects that belong to an extension. `c` is `pg_class`. */
const NOT_OF_EXTENSION = `not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** 2 MiB: added up in some 50 ms. */
const PAGES_AT_ONCE = 256;

/**
 * The number of rows of a table and the sum of their digests: equal for equal rows in any physical order, on every
 * version of PostgreSQL and under every collation. Generated columns are included, since recomputed values must agree.
 * Requires a transaction with a single snapshot, which sees no rows on pages added later.
 * @param rest called between pieces of work
 */
export async function sumTable(
  client: Queryable,
  table: string,
  rest: () => Promise<void> = async () => undefined,
): Promise<TableSum> {
  const name = `public.${pg.escapeIdentifier(table)}`;
  const { rows: sizes } = await client.query<{ pages: number }>(
    "select pg_relation_size($1::regclass) / current_setting('block_size')::int as pages",
    [name],
  );
  const pages = Number(sizes[0]?.pages);
  let rowCount = 0n;
  let sum = 0n;
  for (let page = 0; page < pages; page += PAGES_AT_ONCE) {
    const { rows } = await client.query<TableSum>(
      `select count(*)::text as "rowCount",
          coalesce(sum(('x' || left(md5(r::text), 15))::bit(60)::bigint), 0)::text as sum
        from ${name} r where r.ctid >= $1::tid and r.ctid < $2::tid`,
      [`(${page},0)`, `(${page + PAGES_AT_ONCE},0)`],
    );
    const [piece] = rows;
    if (!piece) throw new Error(`${table} has no sum`);
    rowCount += BigInt(piece.rowCount);
    sum += BigInt(piece.sum);
    await rest();
  }
  return { rowCount: rowCount.toString(), sum: sum.toString() };
}

/** Fixes how values are written as text, independent of either server's settings. */
export async function setTextForm(client: Queryable): Promise<void> {
  await client.query(`
    set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8';
    set local search_path = public, pg_temp; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
}
