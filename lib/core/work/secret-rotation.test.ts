import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openDocument, sealDocument } from "@/lib/core/approvals/documents/seal-document";
import { createClientSecrets, findClient, registerClient } from "@/lib/core/keys/oauth-clients";
import { createRenewal, readRotation } from "@/lib/core/work/renew-encryption";
import { SEALED_COLUMNS } from "@/lib/core/work/sealed-values";
import { settleSecrets } from "@/lib/core/work/settle-secrets";
import { applicationPassword } from "@/lib/db/prepare-database";
import { readKeptKey, rolePurpose } from "@/lib/db/secret-marker";
import { createEncryption } from "@/lib/platform/encryption";
import { deriveHashKey } from "@/lib/platform/keyed-hash";
import { derivePushKeys } from "@/lib/ports/messages/create-web-push";
import { useTestDatabase } from "@/lib/testing/database";
import { samplePdf } from "@/lib/testing/documents";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/**
 * Goal: a secret can be replaced while Sluice runs, whatever order its processes learn of it in and whenever one is
 * killed, and a wrong one is noticed at the start. Method: values in every sealed column, written under the first secret.
 */
const database = useTestDatabase();
const FIRST = "the first secret of this database, of 1998";
const SECOND = "the second secret of this database, 2026";
const THIRD = "the third secret of this database, later";
const ENDPOINTS = 230;
const LIMIT = 100;
const INVOICE = samplePdf("Invoice");

async function openScene() {
  const { services, clock } = createTestServices(database);
  for (const table of [
    "product_secrets",
    "kept_keys",
    "oauth_records",
    "authenticators",
    "connections",
    "webhook_endpoints",
    "transfer_documents",
  ])
    await database.ownerPool.query(`delete from ${table}`);
  const { organizationId, owner } = await createTestOrganization(database, services);
  const start = (secret: string, previous: string | null = null, isLost = false) =>
    settleSecrets({ pool: database.pool, clock, log: services.log, secret, previous, isLost });
  await start(FIRST);
  const webhookSecrets = createEncryption(FIRST, "webhook signing secrets");
  const endpointIds = Array.from({ length: ENDPOINTS }, () => randomUUID());
  await addEndpoints(organizationId, endpointIds, (id) =>
    webhookSecrets.encrypt(`whsec ${id}`, `${organizationId}/${id}`),
  );
  const userId = owner.actor.id;
  await database.pool.query(
    "insert into authenticators (user_id, sealed_secret, created_at) values ($1, $2, now())",
    [userId, createEncryption(FIRST, "authenticator secrets").encrypt("a seed of an app", userId)],
  );
  const connectionId = randomUUID();
  await database.pool.query(
    `insert into connections (organization_id, id, provider, provider_item_id, institution_id, institution_name, status,
        sealed_access_token, created_at, refresh_due_at) values ($1, $2, 'PLAID', 'item', 'ins', 'A bank', 'ACTIVE', $3, now(), now())`,
    [
      organizationId,
      connectionId,
      createEncryption(FIRST, "aggregator access").encrypt(
        "access-token",
        `${organizationId}/${connectionId}`,
      ),
    ],
  );
  const documentId = randomUUID();
  const sealed = sealDocument(
    { documentKeys: createEncryption(FIRST, "document keys") },
    `${organizationId}/${documentId}`,
    INVOICE,
  );
  await database.ownerPool.query(
    `insert into transfer_documents (organization_id, id, draft_id, expires_at, name, media_type, size_bytes, sha256,
        sealed_key, added_by_kind, added_by_id, added_by_name, added_at)
      values ($1, $2, $2, now(), 'Invoice.pdf', 'application/pdf', $3, decode($4, 'hex'), $5, 'MEMBER', $6, 'Mara', now())`,
    [organizationId, documentId, INVOICE.length, sealed.sha256, sealed.sealedKey, userId],
  );
  /** With its key as it is encrypted now; its pieces are never encrypted again. */
  async function openInvoice(secret: string): Promise<Buffer> {
    const { rows } = await database.pool.query<{ sealedKey: Buffer }>(
      `select sealed_key as "sealedKey" from transfer_documents where organization_id = $1 and id = $2`,
      [organizationId, documentId],
    );
    const sealedKey = rows[0]?.sealedKey ?? Buffer.alloc(0);
    const documentKeys = createEncryption(secret, "document keys");
    return openDocument({ documentKeys }, `${organizationId}/${documentId}`, { ...sealed, sealedKey });
  }
  const client = await registerClient(
    { ...services, clientSecrets: createClientSecrets(FIRST) },
    { name: "A server", redirectUris: ["https://client.example/back"], isConfidential: true },
  );

  /** Decrypts every value with one secret alone. */
  async function readAll(secret: string): Promise<string[]> {
    const found: string[] = [];
    for (const column of SEALED_COLUMNS)
      for (const { sealed, context } of await column.read(database.pool, null, 10_000))
        found.push(`${column.name} ${createEncryption(secret, column.purpose).decrypt(sealed, context)}`);
    return found.sort();
  }

  /** Looks until there is nothing more to do, as the worker would. */
  async function finish(renew: (limit: number) => Promise<number>): Promise<void> {
    for (let looks = 0; looks < 10; looks++) {
      for (let batches = 0; (await renew(LIMIT)) === LIMIT; batches++) expect(batches).toBeLessThan(100);
      clock.advance(61_000);
      if ((await readRotation(database.pool))?.isFinished) return;
    }
    throw new Error("It did not finish.");
  }

  return {
    services,
    clock,
    organizationId,
    userId,
    start,
    readAll,
    openInvoice,
    finish,
    client,
    endpointIds,
  };
}

async function addEndpoints(
  organizationId: string,
  ids: readonly string[],
  seal: (id: string) => Buffer,
): Promise<void> {
  for (const id of ids)
    await database.ownerPool.query(
      `insert into webhook_endpoints (organization_id, id, url, sealed_secret, secret_hint, status, created_at)
       values ($1, $2, 'https://receiver.example/hook', $3, 'abcd', 'ENABLED', now())`,
      [organizationId, id, seal(id)],
    );
}

describe("replacing the secret", { timeout: 60_000 }, () => {
  it("encrypts everything again, through a kill in the middle, until the old one can be removed", async () => {
    const scene = await openScene();
    const before = await scene.readAll(FIRST);
    expect(before).toHaveLength(ENDPOINTS + 4);
    const { secrets } = await scene.start(SECOND, FIRST);
    expect(await readRotation(database.pool)).toMatchObject({
      remaining: before.length + 3,
      isFinished: false,
    });

    // Killed after three batches: what runs next begins again.
    const killed = createRenewal(scene.services, secrets);
    for (let batch = 0; batch < 3; batch++) expect(await killed(LIMIT)).toBe(LIMIT);
    const halfway = await readRotation(database.pool);
    expect(halfway?.renewed).toBeGreaterThan(0);
    expect(halfway?.remaining).toBeGreaterThan(0);
    await expect(scene.readAll(FIRST)).rejects.toThrow("Cannot decrypt");
    await expect(scene.readAll(SECOND)).rejects.toThrow("Cannot decrypt");
    // A process that has both reads all of it during that time.
    const both = createEncryption(secrets, "webhook signing secrets");
    for (const { sealed, context } of (await SEALED_COLUMNS[2]?.read(database.pool, null, 1_000)) ?? [])
      expect(both.decrypt(sealed, context)).toContain("whsec");

    const again = await scene.start(SECOND, FIRST);
    await scene.finish(createRenewal(scene.services, again.secrets));
    expect(await readRotation(database.pool)).toMatchObject({
      remaining: 0,
      unreadable: 0,
      isFinished: true,
    });
    const after = (await scene.readAll(SECOND)).filter((line) => !line.startsWith("kept_keys"));
    expect(after).toEqual(before);

    const alone = await scene.start(SECOND);
    expect(alone.secrets.all()).toEqual([SECOND]);
    expect(await scene.openInvoice(SECOND)).toEqual(INVOICE);
    expect(await readRotation(database.pool)).toBeNull();
    const found = await findClient(
      { ...scene.services, clientSecrets: createClientSecrets(alone.secrets) },
      scene.client.clientId,
    );
    expect(found?.client_secret).toBe(scene.client.clientSecret);
  });

  it("keeps the keys whose work cannot be done again, also the second time", async () => {
    const scene = await openScene();
    for (const [now, before] of [
      [SECOND, FIRST],
      [THIRD, SECOND],
    ] as const) {
      const { secrets, keys } = await scene.start(now, before);
      await scene.finish(createRenewal(scene.services, secrets));
      const alone = await scene.start(now);
      expect(alone.keys).toEqual(keys);
      expect(keys.accountHash).toEqual(deriveHashKey(FIRST, "bank accounts"));
      expect(keys.push).toBe(derivePushKeys(FIRST).privateKey);
      const { rows } = await database.pool.query<{ role: string }>("select current_user::text as role");
      const role = rows[0]?.role ?? "";
      expect(await readKeptKey(database.pool, alone.secrets, rolePurpose(role))).toBe(
        applicationPassword(FIRST, role),
      );
    }
  });

  it("two processes with the secrets in either order write with the same one", async () => {
    const scene = await openScene();
    // Every process first learns the new one, then is restarted with it in front, one by one.
    const early = await scene.start(FIRST, SECOND);
    expect(early.secrets.current()).toBe(FIRST);
    const newer = await scene.start(SECOND, FIRST);
    const late = await scene.start(FIRST, SECOND);
    expect([newer, late].map(({ secrets }) => secrets.current())).toEqual([SECOND, SECOND]);
    // The first one still writes with the old secret until it has looked.
    const seal = (secrets: typeof early.secrets, id: string) =>
      createEncryption(secrets, "webhook signing secrets").encrypt(
        "straggler",
        `${scene.organizationId}/${id}`,
      );
    const renewals = [newer, late].map(({ secrets }) => createRenewal(scene.services, secrets));
    await Promise.all(
      renewals.map(async (renew) => {
        for (let batch = 0; batch < 20; batch++) await renew(LIMIT);
      }),
    );
    await addEndpoints(scene.organizationId, [randomUUID()], (id) => seal(early.secrets, id));
    scene.clock.advance(61_000);
    for (let batch = 0; batch < 20; batch++) await renewals[0]?.(LIMIT);
    // Found one: a minute begins again.
    expect((await readRotation(database.pool))?.isFinished).toBe(false);
    const look = createRenewal(scene.services, early.secrets);
    await look(LIMIT);
    expect(early.secrets.current()).toBe(SECOND);
    await scene.finish(renewals[0] ?? look);
    expect(await scene.readAll(SECOND)).toHaveLength(ENDPOINTS + 8);
  });

  it("does not overwrite what was changed meanwhile", async () => {
    const scene = await openScene();
    const { secrets } = await scene.start(SECOND, FIRST);
    const column = SEALED_COLUMNS[0];
    const [value] = (await column?.read(database.pool, null, 10)) ?? [];
    const encryption = createEncryption(secrets, "authenticator secrets");
    await database.pool.query("update authenticators set sealed_secret = $1", [
      encryption.encrypt("the seed of a new app", scene.userId),
    ]);
    if (!column || !value) throw new Error("There is no authenticator.");
    expect(await column.replace(database.pool, value, encryption.encrypt("the old seed", scene.userId))).toBe(
      false,
    );
    expect(await scene.readAll(SECOND).catch(() => null)).toBeNull();
    const [now] = await column.read(database.pool, null, 10);
    expect(encryption.decrypt(now?.sealed ?? Buffer.alloc(0), scene.userId)).toBe("the seed of a new app");
  });

  it("counts what neither secret decrypts, and finishes", async () => {
    const scene = await openScene();
    await database.pool.query("update authenticators set sealed_secret = $1", [
      createEncryption(THIRD, "authenticator secrets").encrypt("of a lost one", scene.userId),
    ]);
    const { secrets } = await scene.start(SECOND, FIRST);
    await scene.finish(createRenewal(scene.services, secrets));
    expect(await readRotation(database.pool)).toMatchObject({ unreadable: 1, isFinished: true });
  });
});

describe("a start with a secret that does not fit", { timeout: 60_000 }, () => {
  it("says so, before and after there is a marker", async () => {
    const scene = await openScene();
    await expect(scene.start(THIRD)).rejects.toThrow("is not the one that this database was written with");
    await expect(scene.start(THIRD, SECOND)).rejects.toThrow(
      "is not the one that this database was written with",
    );
    await database.ownerPool.query("delete from product_secrets");
    await expect(scene.start(THIRD)).rejects.toThrow("is not the one that this database was written with");
    await scene.start(FIRST);
  });

  it("says that the previous one is still needed, and which is the newer one", async () => {
    const scene = await openScene();
    await scene.start(SECOND, FIRST);
    await expect(scene.start(SECOND)).rejects.toThrow("still encrypted with the one before");
    await expect(scene.start(SECOND, THIRD)).rejects.toThrow("still encrypted with the one before");
    await expect(scene.start(FIRST)).rejects.toThrow("SLUICE_SECRET is the one before");
    // Not while the first replacement is in progress.
    await expect(scene.start(THIRD, SECOND)).rejects.toThrow("still encrypted with the one before");
  });

  it("begins at once if the database was never marked, as after an update", async () => {
    const scene = await openScene();
    await database.ownerPool.query("delete from product_secrets");
    const { secrets } = await scene.start(SECOND, FIRST);
    expect(secrets.current()).toBe(SECOND);
    await scene.finish(createRenewal(scene.services, secrets));
    expect(await scene.readAll(SECOND)).toHaveLength(ENDPOINTS + 7);
  });

  it("starts with a new one if the old one is lost, and said to be", async () => {
    const scene = await openScene();
    const { secrets } = await scene.start(THIRD, null, true);
    expect(secrets.current()).toBe(THIRD);
    await scene.start(THIRD);
  });

  it("comes back to an earlier one once the replacement is over", async () => {
    const scene = await openScene();
    const { secrets } = await scene.start(SECOND, FIRST);
    await scene.finish(createRenewal(scene.services, secrets));
    await scene.start(SECOND);
    const back = await scene.start(FIRST, SECOND);
    expect(back.secrets.current()).toBe(FIRST);
    await scene.finish(createRenewal(scene.services, back.secrets));
    expect(await scene.readAll(FIRST)).toHaveLength(ENDPOINTS + 7);
  });
});

it("every column that is sealed is known here", async () => {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name ~ '^sealed'`,
  );
  const known = SEALED_COLUMNS.map(({ name }) => name);
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});
