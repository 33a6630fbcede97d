import Increase from "increase";
import type { Pool } from "pg";
import { BankRefusesKey, BankUnavailable, type OwnAccountRequest } from "@/lib/ports/bank/bank-port";
import { ascii } from "@/lib/ports/bank/increase/ascii";
import { createOnce } from "@/lib/ports/bank/increase/create-once";

/** Required by Increase where a group has several programs or entities. */
export interface IncreaseOwner {
  programId: string | null;
  entityId: string | null;
}

/** How long the start waits for an answer. */
const VERIFY_TIMEOUT_MS = 5_000;

/**
 * The accounts at Increase that Sluice opened. Which they are is kept here: another key's group has none of them, and would
 * otherwise get new ones, in which nothing that was sent before is found.
 */
export class IncreaseAccounts {
  readonly #client: Increase;
  readonly #pool: Pool;
  readonly #owner: IncreaseOwner;
  readonly #known = new Map<string, string>();

  constructor(client: Increase, pool: Pool, owner: IncreaseOwner) {
    this.#client = client;
    this.#pool = pool;
    this.#owner = owner;
  }

  /** The organization's account; opened on first need, adopted if this database forgot it. */
  async ofOrganization(organizationId: string): Promise<string> {
    return await this.#find(organizationId, organizationId, {
      name: `Sluice ${organizationId}`,
      idempotencyKey: `sluice-account:${organizationId}`,
    });
  }

  /** The account of a pod. Its key differs from that of an organization, so no deposit or order is taken to be on it. */
  async ofPod({ organizationId, podId, name }: OwnAccountRequest): Promise<string> {
    const key = `${organizationId}:${podId}`;
    // A key of another group is noticed there.
    await this.ofOrganization(organizationId);
    return await this.#find(organizationId, podId, {
      name: ascii(`Sluice ${organizationId} ${name}`, 200, key),
      idempotencyKey: `sluice-account:${key}`,
    });
  }

  /**
   * What is not found in an account says something only if the key knows the account.
   * @throws BankRefusesKey if it does not
   */
  async requireKnown(accountId: string, options?: { timeout: number }): Promise<void> {
    let known: string;
    try {
      known = (await this.#client.accounts.retrieve(accountId, options)).id;
    } catch (error) {
      if (!(error instanceof Increase.NotFoundError)) throw error;
      throw ofAnotherGroup(accountId);
    }
    if (known !== accountId) throw new BankUnavailable("Increase answers with another account");
  }

  /** Whether the key is accepted, and is the one of the accounts kept here: it knows all of them or none. */
  async verify(): Promise<void> {
    const options = { timeout: VERIFY_TIMEOUT_MS };
    const { rows } = await this.#pool.query<{ bankAccount: string }>({
      name: "newest_increase_account",
      // Every organization's: which of them they belong to does not matter here.
      text: `select bank_account as "bankAccount" from increase_accounts order by kept_at desc limit 1`,
    });
    if (rows[0]) {
      await this.requireKnown(rows[0].bankAccount, options);
      return;
    }
    await this.#client.accounts.list({ limit: 1 }, options);
    const heard = await this.#pool.query<{ organizationId: string }>({
      name: "organization_with_increase_news",
      text: `select organization_id as "organizationId" from bank_inbox limit 1`,
    });
    if (heard.rows[0]) await this.ofOrganization(heard.rows[0].organizationId);
  }

  async #find(
    organizationId: string,
    holderId: string,
    { name, idempotencyKey }: { name: string; idempotencyKey: string },
  ): Promise<string> {
    const key = `${organizationId}:${holderId}`;
    const known = this.#known.get(key) ?? (await this.#readKept(organizationId, holderId));
    if (known !== null) {
      this.#known.set(key, known);
      return known;
    }
    const isShared = holderId === organizationId;
    if (isShared && (await this.#hasNews(organizationId))) await this.#requireOpened(idempotencyKey);
    const { programId, entityId } = this.#owner;
    const account = await createOnce(
      () =>
        this.#client.accounts.create(
          {
            name,
            ...(programId === null ? {} : { program_id: programId }),
            ...(entityId === null ? {} : { entity_id: entityId }),
          },
          { idempotencyKey },
        ),
      (id) => this.#client.accounts.retrieve(id),
    );
    await this.#pool.query({
      name: "keep_increase_account",
      text: `insert into increase_accounts (organization_id, holder_id, bank_account, kept_at)
             values ($1, $2, $3, now()) on conflict do nothing`,
      values: [organizationId, holderId, account.id],
    });
    const kept = await this.#readKept(organizationId, holderId);
    if (kept === null) throw new Error("An account that was kept was not found");
    this.#known.set(key, kept);
    return kept;
  }

  /** Then the account exists, though this database may be from before it was kept. */
  async #hasNews(organizationId: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: "has_increase_news",
      text: "select 1 from bank_inbox where organization_id = $1 limit 1",
      values: [organizationId],
    });
    return rowCount === 1;
  }

  /** @throws BankRefusesKey if the key's group has no such account: opening another one would lose what was sent */
  async #requireOpened(idempotencyKey: string): Promise<void> {
    const opened = await this.#client.accounts.list({ idempotency_key: idempotencyKey, limit: 1 });
    if (opened.data.length === 0) throw ofAnotherGroup(`the account "${idempotencyKey}"`);
  }

  async #readKept(organizationId: string, holderId: string): Promise<string | null> {
    const { rows } = await this.#pool.query<{ bankAccount: string }>({
      name: "read_increase_account",
      text: `select bank_account as "bankAccount" from increase_accounts
              where organization_id = $1 and holder_id = $2`,
      values: [organizationId, holderId],
    });
    return rows[0]?.bankAccount ?? null;
  }
}

const ofAnotherGroup = (account: string) =>
  new BankRefusesKey(
    `INCREASE_API_KEY does not know ${account}, where the money of this database is: it is the key of another group or environment, or the sandbox was reset. Use the former key; after a reset, start with an empty database.`,
  );
