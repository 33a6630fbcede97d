import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { LoadOptions } from "@/proof/bench/measurement";
import type { Scene } from "./arrange";

const run = promisify(execFile);

/** One claim of up to 64 for each 64 transfers, like the worker's batches. */
const TRANSFERS_PER_BOOKING = 64;

/**
 * The key is a row of this table, and the request's JSON is built in SQL: pgbench can do neither by itself. In a schema of
 * its own, since a backup reads every table of `public` as the owner of the tables.
 */
const SCHEMA = `
  create schema bench;
  create table bench.callers (n integer primary key, organization_id uuid, key_id uuid, key_hash bytea, pods uuid[]);
  create function bench_item(p_n integer, p_from integer, p_to integer, p_key uuid) returns jsonb
  language sql volatile as $$
    select jsonb_build_array(jsonb_build_object(
      'organizationId', c.organization_id, 'apiKeyId', c.key_id, 'now', now(),
      'proposedBy', jsonb_build_object('kind', 'API_KEY', 'id', c.key_id, 'name', 'bench'),
      'transfer', t.body || jsonb_build_object('sourceAccountId', c.pods[p_from], 'destinationAccountId', c.pods[p_to]),
      'idempotency', jsonb_build_object('operation', 'createTransfer', 'path', '/platform/v1/transfers',
        'key', p_key, 'fingerprint', encode(sha256(p_key::text::bytea), 'hex'), 'status', 202,
        'body', jsonb_build_object('data', t.body || t.body, 'requestId', p_key), 'expiresAt', now() + interval '1 day'),
      'audit', jsonb_build_object('organizationId', c.organization_id, 'id', gen_random_uuid(), 'createdAt', now(),
        'apiKeyId', c.key_id, 'apiKeyName', 'bench', 'method', 'POST', 'path', '/platform/v1/transfers',
        'action', 'CREATE_TRANSFER', 'requestId', p_key, 'outcome', 'SUCCESS')))
    from bench.callers c, lateral (select jsonb_build_object('id', gen_random_uuid(), 'status', 'PROCESSING',
      'executionMode', 'LIVE', 'direction', 'INTERNAL', 'origin', 'API', 'amountInCents', 100 + p_n % 900,
      'description', 'bench', 'createdAt', now(), 'updatedAt', now(), 'expectedCompletionDate', current_date) as body) t
    where c.n = p_n
  $$;
  grant usage on schema bench to sluice_app;
  grant select on bench.callers to sluice_app`;

const TRANSFER = (callers: number, pods: number) => `
\\set n random(1, ${callers})
\\set from random(1, ${pods})
\\set to 1 + (:from + 2) % ${pods}
select * from authenticate_api_keys((select jsonb_build_array(jsonb_build_object('keyHash', encode(key_hash, 'hex'), 'now', now())) from bench.callers where n = :n));
select id, name, type, external_account_type as "externalAccountType", deleted_at is not null as "isClosed" from accounts where organization_id = (select organization_id from bench.callers where n = :n) and id in ((select pods[:from] from bench.callers where n = :n), (select pods[:to] from bench.callers where n = :n));
select * from create_transfers(bench_item(:n, :from, :to, gen_random_uuid()));
`;

const BOOKING = `
select * from book_due_transfers(now(), array(select gen_random_uuid() from generate_series(1, ${TRANSFERS_PER_BOOKING})));
`;

/** @returns its version; null if pgbench is not on this machine */
export async function findPgbench(): Promise<string | null> {
  try {
    return (await run("pgbench", ["--version"])).stdout.trim();
  } catch {
    return null;
  }
}

/** Null: pgbench is not on this machine. */
export async function preparePgbench(
  scene: Pick<Scene, "callers" | "superuser" | "application">,
  folder: string,
) {
  if ((await findPgbench()) === null) return null;
  await scene.superuser.query(SCHEMA);
  for (const [index, { organizationId, keyId, keyText, pods }] of scene.callers.entries()) {
    const hash = createHash("sha256").update(keyText).digest();
    await scene.superuser.query("insert into bench.callers values ($1, $2, $3, $4, $5)", [
      index + 1,
      organizationId,
      keyId,
      hash,
      pods,
    ]);
  }
  await scene.superuser.query("analyze bench.callers");
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "transfer.sql"),
    TRANSFER(scene.callers.length, scene.callers[0]?.pods.length ?? 1),
  );
  await writeFile(join(folder, "booking.sql"), BOOKING);
  let rounds = 0;
  const scripts = [`transfer.sql@${TRANSFERS_PER_BOOKING}`, "booking.sql@1"];
  return async (options: LoadOptions) => {
    rounds += 1;
    const runs = await runPgbench(scene, { folder, scripts, logPrefix: `round-${rounds}` }, options);
    return runs.filter(({ script }) => script === 0).map(({ ms }) => ms);
  };
}

/** One transaction that pgbench carried out. */
export interface PgbenchRun {
  /** Which of the scripts, from 0. */
  script: number;
  ms: number;
}

/** @param files in the folder: the scripts with their weights, and the prefix of its logs */
export async function runPgbench(
  { application }: Pick<Scene, "application">,
  files: { folder: string; scripts: readonly string[]; logPrefix: string },
  { concurrency, seconds }: LoadOptions,
): Promise<PgbenchRun[]> {
  const client = new pg.Client(application);
  await run(
    "pgbench",
    [
      "--no-vacuum",
      "--protocol=prepared",
      `--client=${concurrency}`,
      `--time=${Math.ceil(seconds)}`,
      ...files.scripts.map((script) => `--file=${script}`),
      "--log",
      `--log-prefix=${files.logPrefix}`,
    ],
    {
      cwd: files.folder,
      timeout: seconds * 1000 + 60_000,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        PGHOST: client.host,
        PGPORT: String(client.port),
        PGUSER: client.user,
        PGPASSWORD: client.password ?? "",
        PGDATABASE: client.database,
      },
    },
  );
  return await readRuns(files.folder, files.logPrefix);
}

/** A line of the log: client, transaction, microseconds, script, … */
async function readRuns(folder: string, logPrefix: string): Promise<PgbenchRun[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${logPrefix}.`));
  const logs = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return logs
    .flatMap((log) => log.trimEnd().split("\n"))
    .map((line) => line.split(" "))
    .map(([, , microseconds, script]) => ({ script: Number(script), ms: Number(microseconds) / 1000 }));
}
