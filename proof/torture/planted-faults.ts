import type pg from "pg";

/** The sandbox bank inside the product, or the emulated Increase outside of it. */
export const BANK_KINDS = ["sandbox", "increase"] as const;
export type BankKind = (typeof BANK_KINDS)[number];

/** A bug put into the product on purpose, to see that the checker finds it. */
export interface PlantedFault {
  name: string;
  /** What a programmer might have done. */
  describes: string;
  /** The promise that it breaks: another violation would have another cause. */
  breaks: string;
  bank: BankKind;
  plant(owner: pg.Pool): Promise<void>;
  /** Environment variables by which each product plants it in itself. */
  environment?: Record<string, string>;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "missing-lock",
    describes:
      "a request does not lock its idempotency key, so two with the same key may both be carried out",
    breaks: "one idempotency key has one effect",
    bank: "sandbox",
    plant: async (owner) => {
      await rewrite(owner, "create_transfers", [
        [/then pg_try_advisory_xact_lock\([\s\S]*?, 0\)\) end/, "then true end"],
      ]);
      await rewrite(owner, "create_transfers_one_by_one", [
        [/if not pg_try_advisory_xact_lock\([\s\S]*?, 0\)\) then/, "if false then"],
      ]);
    },
  },
  {
    name: "lost-job",
    describes: "one transfer in ten that is claimed for the bank is never submitted",
    breaks: "everything ends",
    bank: "sandbox",
    plant: (owner) =>
      rewrite(owner, "lease_bank_orders", [
        [
          /from leased l\s+join accounts a on/,
          "from leased l join accounts a on hashtext(l.id::text) % 10 <> 0 and",
        ],
      ]),
  },
  {
    name: "double-settlement",
    describes: "a settlement that the bank reports twice is booked twice",
    breaks: "money moves once, and as the bank says",
    bank: "sandbox",
    plant: async (owner) => {
      await owner.query("alter table entries drop constraint booked_once");
      await owner.query("alter table bank_settlements drop constraint bank_settlements_pkey");
      await rewrite(owner, "record_bank_notice", [
        [/if not found then return null; end if;/, ""],
        [
          /if v_transfer\.status = 'PROCESSING' then\s+v_is_held/,
          "if v_transfer.status in ('PROCESSING', 'COMPLETE') then v_is_held",
        ],
      ]);
    },
  },
  {
    name: "mandate-twice",
    describes: "what is left of a mandate is read without a lock, so two transfers at once use the same rest",
    breaks: "a mandate moves no more than it says",
    bank: "sandbox",
    plant: (owner) =>
      rewrite(owner, "use_mandate", [
        [/and m\.state = 'IN_FORCE' order by m\.id for update;/, "and m.state = 'IN_FORCE';"],
        [/perform lock_ledgers\([\s\S]*?v_destination_id\]\);/, ""],
      ]),
  },
  {
    name: "changed-line",
    describes: "what the bank changes on a line that was read before is never a difference",
    breaks: "every difference between bank and books is found, and no other",
    bank: "sandbox",
    plant: async (owner) => {
      await owner.query(`
        create function torture_forgets() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger torture_forgets before insert on bank_differences for each row
          when (new.kind = 'LINE_CHANGED') execute function torture_forgets();
        create trigger torture_forgets before insert on bank_line_changes for each row
          execute function torture_forgets()`);
    },
  },
  {
    name: "second-key",
    describes: "an order whose answer was lost is sent to the bank again under a new idempotency key",
    breaks: "an order is sent to the bank once",
    bank: "increase",
    plant: async () => undefined,
    environment: { TORTURE_FAULT: "second-key" },
  },
];

/** Replaces parts of a function of the database. @throws Error if a part is missing: the function has changed */
async function rewrite(owner: pg.Pool, name: string, changes: readonly [RegExp, string][]): Promise<void> {
  const { rows } = await owner.query<{ text: string }>(
    "select pg_get_functiondef(oid) as text from pg_proc where proname = $1",
    [name],
  );
  let text = rows[0]?.text ?? "";
  for (const [from, to] of changes) {
    if (!from.test(text)) throw new Error(`${name} does not hold ${from}`);
    text = text.replace(from, to);
  }
  await owner.query(text);
}
