import type pg from "pg";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { type IncreaseEmulator, openIncreaseEmulator } from "@/proof/emulators/increase/emulator";
import type { Random } from "@/proof/torture/actors/agent";
import { type BankProxy, startBankProxy } from "@/proof/torture/bank/bank-proxy";
import { OddBank } from "@/proof/torture/bank/odd-bank";
import { type CallBank, type Played, playBank } from "@/proof/torture/bank/play-bank";
import type { BankBooks } from "@/proof/torture/checker/bank-books";
import { OPENING_IN_CENTS, type Party } from "@/proof/torture/world";

/** Increase, emulated in this process: it lives on while products are killed. */
export interface IncreaseScene {
  proxy: BankProxy;
  /** Of a product whose bank it is. */
  environment: Record<string, string>;
  /** Gives income sources numbers there, and makes the outside accounts known to it. */
  adopt(owner: pg.Pool, parties: readonly Party[]): Promise<void>;
  /** Lets orders leave, settle and come back; `isEnding`: all that is left, and nothing comes back anymore. */
  play(owner: pg.Pool, random: Random, isEnding: boolean): Promise<Played>;
  readBooks(): Promise<BankBooks>;
  /** Two lines of each organization that match their entries, of which the bank says something else from now on. */
  changeLines(owner: pg.Pool): Promise<void>;
  /** Every object is as the bank booked it. */
  recover(): void;
  /** How many events, objects and lists were odd. */
  oddities(): number;
  close(): Promise<void>;
}

const API_KEY = "emulated";
const TICK_MS = 100;
const PAGE = 100;
const MAXIMUM_PAGES = 100;

export async function openIncrease(random: Random): Promise<IncreaseScene> {
  const emulator = await openIncreaseEmulator({
    startsAt: systemClock.now(),
    apiKey: API_KEY,
    openingInCents: OPENING_IN_CENTS,
  });
  const ticking = setInterval(() => void emulator.advanceTo(systemClock.now()), TICK_MS);
  const oddBank = new OddBank(emulator, random);
  let changedLines: BankBooks["changedLines"] = [];
  const proxy = await startBankProxy(emulator.url, random);
  const call: CallBank = async (method, path, body) => {
    const response = await fetch(`${emulator.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}`);
    return await response.json();
  };
  const readAll = async (path: string) => {
    const all: unknown[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < MAXIMUM_PAGES; page++) {
      const next: string = cursor === null ? "" : `&cursor=${cursor}`;
      const listed: { data: unknown[]; next_cursor: string | null } = Object(
        await call("GET", `${path}?limit=${PAGE}${next}`),
      );
      all.push(...listed.data);
      cursor = listed.next_cursor;
      if (cursor === null) return all;
    }
    throw new Error(`${path} has too many pages`);
  };
  return {
    proxy,
    environment: {
      INCREASE_API_KEY: API_KEY,
      INCREASE_ENV: "sandbox",
      INCREASE_BASE_URL: proxy.url,
      // Nobody reads the messages of a torture.
      SMTP_URL: "smtp://127.0.0.1:9",
    },
    adopt: async (owner, parties) => {
      await owner.query(
        "update accounts set number_due_at = now(), account_number_last4 = null where type = 'INCOME_SOURCE'",
      );
      for (const party of parties) {
        await registerOutside(owner, call, party);
        await giveOwnAccount(owner, party);
      }
    },
    play: async (owner, playing, isEnding) => {
      // After an answer that was lost, a move is asked about half a minute later: too late for a torture.
      await owner.query("update own_bank_accounts set due_at = now() where due_at > now()");
      if (isEnding) {
        oddBank.recover();
        // What is set aside is tried again within an hour: too late for a torture, too.
        await owner.query("update bank_unread_objects set retry_at = now() where retry_at > now()");
        await owner.query(
          "update bank_unapplied_notices set retry_at = first_failed_at where retry_at > first_failed_at",
        );
      }
      return await playBank(
        call,
        async () => {
          const orders = await readAll("/ach_transfers");
          if (!isEnding) oddBank.act(orders.map((order) => String(Object(order).id)));
          return orders;
        },
        { owner, random: playing, isEnding },
      );
    },
    oddities: () => oddBank.done,
    changeLines: async (owner) => {
      changedLines = await changeLines(owner, emulator);
    },
    recover: () => oddBank.recover(),
    readBooks: async () =>
      withoutBatch(
        Object({
          changedLines,
          accounts: await readAll("/accounts"),
          orders: await readAll("/ach_transfers"),
          moves: await readAll("/account_transfers"),
          deposits: await readAll("/inbound_ach_transfers"),
          transactions: await readAll("/transactions"),
        }),
      ),
    close: async () => {
      clearInterval(ticking);
      await proxy.close();
      await emulator.close();
    },
  };
}

/** More than anyone moves here, so that no line becomes one of zero cents, which no bank lists. */
const CHANGED_BY_IN_CENTS = 1_000_000_000;

/** One is more and one is less, so that the bank's balance stays as it is. */
async function changeLines(owner: pg.Pool, { odd }: IncreaseEmulator): Promise<BankBooks["changedLines"]> {
  const { rows } = await owner.query<BankBooks["changedLines"][number] & { amount: number; place: number }>(
    `select organization_id as "organizationId", line_reference as "lineReference", amount::float8 as amount,
        place::int as place from (
       select l.organization_id, l.line_reference, l.amount_in_cents as amount,
           row_number() over (partition by l.organization_id order by l.line_reference) as place,
           count(*) over (partition by l.organization_id) as lines
         from bank_lines l join bank_matches m on m.organization_id = l.organization_id
           and m.line_reference = l.line_reference) as matched
      where place <= 2 and lines >= 2`,
  );
  return rows.map(({ amount, place, ...line }) => {
    odd.alter(line.lineReference, {
      amount: amount + (place === 1 ? CHANGED_BY_IN_CENTS : -CHANGED_BY_IN_CENTS),
    });
    return line;
  });
}

/** Bursts are about an account of the group that is not Sluice's. */
function withoutBatch(books: BankBooks): BankBooks {
  const isOurs = ({ idempotency_key: key }: { idempotency_key: string | null }) =>
    key?.startsWith("sluice-account:") ?? false;
  const foreign = new Set(books.accounts.filter((account) => !isOurs(account)).map(({ id }) => id));
  const ofOurs = ({ account_id: id }: { account_id: string }) => !foreign.has(id);
  return {
    ...books,
    accounts: books.accounts.filter(isOurs),
    orders: books.orders.filter(ofOurs),
    transactions: books.transactions.filter(ofOurs),
  };
}

/** As after an owner gave the pod that most money passes its own account at the bank. */
async function giveOwnAccount(owner: pg.Pool, { organizationId, accounts, members }: Party): Promise<void> {
  await owner.query(
    `insert into own_bank_accounts (organization_id, account_id, is_wanted, decided_by, decided_at, due_at)
      values ($1, $2, true, $3, now(), now())`,
    [organizationId, accounts.taxes, members[0]?.id],
  );
}

/** As after a member registered it, a day ago: orders name it and wait for no cool-off. */
async function registerOutside(owner: pg.Pool, call: CallBank, party: Party): Promise<void> {
  const registered = Object(
    await call("POST", "/external_accounts", {
      description: "Checking",
      routing_number: "101050001",
      account_number: "987654321",
      account_holder: "business",
      funding: "checking",
    }),
  );
  await owner.query(
    `insert into registered_accounts (organization_id, account_id, registration_id, holder_name, holder_kind, account_kind,
        routing_number_last4, account_number_last4, begun_by, begun_at, bank_reference, registered_by, registered_at,
        cools_off_until)
      values ($1, $2, $3, 'Checking', 'BUSINESS', 'CHECKING', '0001', '4321', $4, now() - interval '1 day', $5, $4,
        now() - interval '1 day', now() - interval '1 day')`,
    [
      party.organizationId,
      party.accounts.checking,
      newId(systemClock.now()),
      party.members[0]?.id,
      registered.id,
    ],
  );
}
