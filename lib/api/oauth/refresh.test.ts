/**
 * What a connection lives on: refresh tokens that count once, and all the ways in which it ends. Time is moved in the
 * table, for oidc-provider has a clock of its own.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { authenticateAssistant } from "@/lib/core/keys/authenticate-assistant";
import { endLapsedConnections } from "@/lib/core/keys/disconnect-assistant";
import { endApiKey } from "@/lib/core/keys/revoke-api-key";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { newRequestId } from "@/lib/platform/ids";
import { askTransfer } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { connect, refresh, register, startTestOAuth, type TestOAuth } from "@/lib/testing/oauth";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";

const database = useTestDatabase();
let oauth: TestOAuth;
let second: TestOAuth;
let organization: Awaited<ReturnType<typeof createTestOrganization>>;
let sourceId: string;
let targetId: string;

beforeAll(async () => {
  oauth = await startTestOAuth(createRealTimeServices(database.pool));
  second = await startTestOAuth(createRealTimeServices(database.ownerPool), { appUrl: oauth.appUrl });
  organization = await createTestOrganization(database, oauth.services);
  sourceId = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 100_000 });
  targetId = await organization.addAccount({ name: "Taxes", type: "POD" });
});
afterAll(async () => {
  await Promise.all([oauth.close(), second.close()]);
});

const authenticate = (token: string) => authenticateAssistant(oauth.services, token, oauth.resource);

async function connectOwner(scope = "mcp offline_access") {
  const { clientId, tokens } = await connect(oauth, organization.owner, { scope });
  const caller = await authenticate(tokens.access_token);
  if (!caller) throw new Error("A new connection does not authenticate");
  return { clientId, tokens, connectionId: caller.actor.id };
}

async function endOf(connectionId: string) {
  const { rows } = await database.pool.query<{ revoked_because: string | null; records: number }>(
    `select k.revoked_because, (select count(*)::int from oauth_records r where r.grant_id = k.id) as records
       from api_keys k where k.id = $1`,
    [connectionId],
  );
  return rows[0];
}

/** A transfer that the assistant asks for, and that waits for its decision. */
async function propose(accessToken: string) {
  const caller = await authenticate(accessToken);
  if (!caller) throw new Error("The assistant does not authenticate");
  await askTransfer(
    oauth.services,
    { ...caller, requestId: newRequestId(), calledReason: null },
    { sourceAccountId: sourceId, destinationAccountId: targetId, amountInCents: 1_000 },
  );
  const { rows } = await database.pool.query<{ id: string }>(
    "select id from proposals where api_key_id = $1 and state = 'WAITING'",
    [caller.actor.id],
  );
  expect(rows).toHaveLength(1);
  return rows[0]?.id;
}

const usedAgo = (connectionId: string, seconds: number) =>
  database.pool.query(
    `update oauth_records set consumed_at = consumed_at - $2 * interval '1 second'
      where model = 'RefreshToken' and grant_id = $1 and consumed_at is not null`,
    [connectionId, seconds],
  );

describe("a refresh token", () => {
  it("gives a new pair, and the next one gives the next", async () => {
    const { clientId, tokens } = await connectOwner();
    const first = await refresh(oauth, clientId, tokens.refresh_token);
    expect(first).toMatchObject({ status: 200, body: { scope: "mcp", token_type: "Bearer" } });
    expect(first.body.refresh_token).not.toBe(tokens.refresh_token);
    const next = await refresh(second, clientId, first.body.refresh_token);
    expect(next.status).toBe(200);
    expect(await authenticate(next.body.access_token)).not.toBeNull();
  });

  it("counts again for 30 seconds, for a client that lost the response: it gets the same successor", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    const lost = await refresh(oauth, clientId, tokens.refresh_token);
    await usedAgo(connectionId, 25);
    const retried = await refresh(second, clientId, tokens.refresh_token);
    expect([lost.status, retried.status]).toEqual([200, 200]);
    expect(retried.body.refresh_token).toBe(lost.body.refresh_token);
    expect((await refresh(oauth, clientId, retried.body.refresh_token)).status).toBe(200);
    expect((await endOf(connectionId))?.revoked_because).toBeNull();
  });

  it("keeps two processes with one store connected, whichever writes last, round after round", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    let stored = tokens.refresh_token;
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all([oauth, second].map((api) => refresh(api, clientId, stored)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      for (const { body } of answers) expect(await authenticate(body.access_token)).not.toBeNull();
      stored = answers[round % 2]?.body.refresh_token;
    }
    expect((await endOf(connectionId))?.revoked_because).toBeNull();
    const { rows } = await database.pool.query<{ count: number }>(
      "select count(*)::int from oauth_records where model = 'RefreshToken' and grant_id = $1",
      [connectionId],
    );
    expect(rows[0]?.count).toBe(5);
  });

  it("counts for all that ask at once, with one successor", async () => {
    const { clientId, tokens } = await connectOwner();
    const atOnce = await Promise.all(
      [oauth, second, oauth, second].map((api) => refresh(api, clientId, tokens.refresh_token)),
    );
    expect(atOnce.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(atOnce.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  it("used again after its response was used was not lost but copied: the connection ends", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    const { body } = await refresh(oauth, clientId, tokens.refresh_token);
    expect((await refresh(oauth, clientId, body.refresh_token)).status).toBe(200);
    expect((await refresh(second, clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await endOf(connectionId))?.revoked_because).toBe("REUSE");
  });

  it("and its retry give one chain: both hold the same successor, and once it was used the first is a copy", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    const [first, retried] = [
      await refresh(oauth, clientId, tokens.refresh_token),
      await refresh(second, clientId, tokens.refresh_token),
    ];
    const next = await refresh(second, clientId, first.body.refresh_token);
    const again = await refresh(oauth, clientId, retried.body.refresh_token);
    expect(again.body.refresh_token).toBe(next.body.refresh_token);
    expect((await refresh(oauth, clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await endOf(connectionId))?.revoked_because).toBe("REUSE");
  });

  it("does not show its successor: without the product's secret it cannot be worked out", async () => {
    const { clientId, tokens } = await connectOwner();
    const { body } = await refresh(oauth, clientId, tokens.refresh_token);
    expect(body.refresh_token).toMatch(/^[\w-]{43}$/);
    const { rows } = await database.pool.query(
      "select payload::text || id_hash::text as stored from oauth_records",
    );
    for (const { stored } of rows) expect(stored).not.toContain(body.refresh_token);
  });

  it("that comes again after that was copied: the whole connection ends, with the reason", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    const { body } = await refresh(oauth, clientId, tokens.refresh_token);
    await usedAgo(connectionId, 31);
    const again = await Promise.all(
      [oauth, second].map((api) => refresh(api, clientId, tokens.refresh_token)),
    );
    expect(again.map((answer) => answer.body.error)).toEqual(["invalid_grant", "invalid_grant"]);
    expect(await authenticate(body.access_token)).toBeNull();
    expect((await refresh(oauth, clientId, body.refresh_token)).body.error).toBe("invalid_grant");
    expect(await endOf(connectionId)).toEqual({ revoked_because: "REUSE", records: 0 });
  });

  it("that was never answered, because Sluice stopped in between, is not a copy: it stays valid later", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    await database.pool.query(
      "update oauth_records set consumed_at = now() - interval '1 hour', created_at = now() - interval '2 hours' where model = 'RefreshToken' and grant_id = $1",
      [connectionId],
    );
    const retried = await refresh(oauth, clientId, tokens.refresh_token);
    expect(retried.status).toBe(200);
    // The window begins with the answer.
    const again = await refresh(oauth, clientId, tokens.refresh_token);
    expect(again.body.refresh_token).toBe(retried.body.refresh_token);
    await database.pool.query(
      "update oauth_records set retried_at = retried_at - interval '31 seconds' where model = 'RefreshToken' and grant_id = $1",
      [connectionId],
    );
    expect((await refresh(oauth, clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await endOf(connectionId))?.revoked_because).toBe("REUSE");
  });

  it("ends with the year of its connection, however often it was renewed: a member is asked again", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    const agedBy = (seconds: number) =>
      database.pool.query(
        `update oauth_records
            set payload = jsonb_set(payload, '{iiat}', to_jsonb((payload->>'iiat')::bigint - $2::bigint))
          where model = 'RefreshToken' and grant_id = $1`,
        [connectionId, seconds],
      );
    const lastsDays = async () => {
      const { rows } = await database.pool.query<{ days: number }>(
        `select extract(epoch from max(expires_at) - now())::float8 / 86400 as days from oauth_records
          where model = 'RefreshToken' and grant_id = $1 and consumed_at is null`,
        [connectionId],
      );
      return rows[0]?.days;
    };
    await agedBy(300 * 86_400);
    const { body } = await refresh(oauth, clientId, tokens.refresh_token);
    expect(await lastsDays()).toBeCloseTo(60, 1);
    await agedBy(60 * 86_400);
    const { body: last } = await refresh(oauth, clientId, body.refresh_token);
    expect(await lastsDays()).toBeCloseTo(5, 1);
    expect(await authenticate(last.access_token)).not.toBeNull();
  });

  it("is useless to another client", async () => {
    const { tokens, connectionId } = await connectOwner();
    const { body: other } = await register(oauth);
    expect((await refresh(oauth, other.client_id, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await endOf(connectionId))?.revoked_because).toBeNull();
  });

  it("is invalid once the member has left", async () => {
    const leaver = await organization.addMember("CO_OWNER", "Cora");
    const { clientId, tokens } = await connect(oauth, leaver);
    await database.ownerPool.query("delete from memberships where user_id = $1", [leaver.actor.id]);
    expect((await refresh(oauth, clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect(await authenticate(tokens.access_token)).toBeNull();
  });

  it("is not given to a client that did not ask to stay connected", async () => {
    const { tokens } = await connectOwner("mcp");
    expect(tokens).not.toHaveProperty("refresh_token");
  });
});

describe("a role that is lowered", () => {
  it("counts at the next call: the assistant only reads from then on", async () => {
    const coOwner = await organization.addMember("CO_OWNER", "Dora");
    const { tokens } = await connect(oauth, coOwner);
    const permits = async () =>
      (await authenticate(tokens.access_token))?.actor.permissions.map(({ type }) => type);
    expect(await permits()).toContain("MANUAL_TRANSFER");
    await database.ownerPool.query("update memberships set role = 'VIEWER' where user_id = $1", [
      coOwner.actor.id,
    ]);
    expect(await permits()).toEqual(["READ_ACCOUNTS", "READ_RULES", "READ_TRANSFERS", "READ_AUDIT_LOGS"]);
  });
});

describe("a connection", () => {
  async function revoke(clientId: string, token: string | undefined) {
    const response = await oauth.ask("/oauth/revoke", {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, token: token ?? "" }),
    });
    return response.status;
  }

  it.each(["refresh_token", "access_token"] as const)(
    "ends when its client revokes its %s, and its waiting proposals are denied with it",
    async (kind) => {
      const { clientId, tokens, connectionId } = await connectOwner();
      const proposalId = await propose(tokens.access_token);
      expect(await revoke(clientId, tokens[kind])).toBe(200);
      expect(await endOf(connectionId)).toEqual({ revoked_because: "CLIENT", records: 0 });
      expect(await authenticate(tokens.access_token)).toBeNull();
      expect((await refresh(oauth, clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
      const { rows } = await database.pool.query("select state from proposals where id = $1", [proposalId]);
      expect(rows).toEqual([{ state: "REVOKED" }]);
      // Once more, as after a lost answer.
      expect(await revoke(clientId, tokens[kind])).toBe(200);
    },
  );

  it("is not ended by a stranger who has its token, nor by one who guesses", async () => {
    const { tokens, connectionId } = await connectOwner();
    const { body: other } = await register(oauth);
    expect(await revoke(other.client_id, tokens.refresh_token)).toBe(200);
    expect(await revoke(other.client_id, "nobody's")).toBe(200);
    expect((await endOf(connectionId))?.revoked_because).toBeNull();
    expect(await authenticate(tokens.access_token)).not.toBeNull();
  });

  it("ended by a member is refused at once, also where a token was written while it ended", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    const { body } = await refresh(oauth, clientId, tokens.refresh_token);
    const { rows } = await database.pool.query("select * from oauth_records where grant_id = $1", [
      connectionId,
    ]);
    await endApiKey(
      database.pool,
      { organizationId: organization.organizationId, keyId: connectionId, now: oauth.services.clock.now() },
      { because: "MEMBER", userId: organization.owner.actor.id },
    );
    // As written by a refresh in progress.
    for (const row of rows) {
      await database.pool.query(
        "insert into oauth_records select * from json_populate_record(null::oauth_records, $1)",
        [JSON.stringify({ ...row, id_hash: `\\x${row.id_hash.toString("hex")}` })],
      );
    }
    expect(await authenticate(body.access_token)).toBeNull();
    expect((await refresh(oauth, clientId, body.refresh_token)).body.error).toBe("invalid_grant");
    expect((await refresh(oauth, clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
  });

  const lapse = (connectionId: string) =>
    database.pool.query(
      `update oauth_records set created_at = created_at - interval '2 hours',
          expires_at = case model when 'Grant' then expires_at else now() - interval '1 second' end where grant_id = $1`,
      [connectionId],
    );

  it("whose last token ran out ends by itself, once nothing hangs on it any more", async () => {
    const live = await connectOwner();
    const lapsed = await connectOwner("mcp");
    const proposalId = await propose(lapsed.tokens.access_token);
    await lapse(lapsed.connectionId);
    await endLapsedConnections(oauth.services, 100);
    expect((await endOf(lapsed.connectionId))?.revoked_because, "its proposal still waits").toBeNull();
    await database.ownerPool.query(
      "update proposals set expires_at = now() - interval '1 second' where id = $1",
      [proposalId],
    );
    expect(await expireProposals(oauth.services, 10)).toBe(1);
    await endLapsedConnections(oauth.services, 100);
    expect(await endOf(lapsed.connectionId)).toEqual({ revoked_because: "EXPIRED", records: 0 });
    expect((await endOf(live.connectionId))?.revoked_because).toBeNull();
  });

  it("leaves nothing behind that nobody can use: what ran out is forgotten, what counts is not", async () => {
    const { clientId, tokens, connectionId } = await connectOwner();
    const { body } = await refresh(oauth, clientId, tokens.refresh_token);
    await database.pool.query(
      "update oauth_records set expires_at = now() - interval '1 second' where grant_id = $1 and model in ('AccessToken', 'AuthorizationCode')",
      [connectionId],
    );
    await forgetExpired(oauth.services, 1_000);
    const { rows } = await database.pool.query(
      "select model, count(*)::int from oauth_records where grant_id = $1 group by model order by model",
      [connectionId],
    );
    expect(rows).toEqual([
      { model: "Grant", count: 1 },
      { model: "RefreshToken", count: 2 },
    ]);
    expect((await refresh(oauth, clientId, body.refresh_token)).status).toBe(200);
  });
});
