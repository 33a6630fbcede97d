import type pg from "pg";
import type { Random } from "@/proof/torture/actors/agent";

/** A request to the emulated bank itself, past the proxy. */
export type CallBank = (method: "GET" | "POST", path: string, body?: object) => Promise<unknown>;

export interface Played {
  /** Orders that are neither settled nor returned. */
  open: number;
}

interface Order {
  id: string;
  amount: number;
  status: string;
  settlement: object | null;
}

interface PlayOptions {
  owner: pg.Pool;
  random: Random;
  isEnding: boolean;
}

const SIMULATIONS = "/simulations/ach_transfers";

/**
 * One look at the bank's orders. Some leave for the Federal Reserve, some of those settle, and some come back, before or
 * after they settled. What waits for the bank's window leaves earlier: there is no time for a minute each.
 */
export async function playBank(
  call: CallBank,
  readOrders: () => Promise<unknown[]>,
  { owner, random, isEnding }: PlayOptions,
): Promise<Played> {
  if (isEnding || random(1, 3) === 1) await openWindow(owner, isEnding);
  let open = 0;
  for (const order of await readOrders()) {
    if (!isOrder(order)) throw new Error("The bank listed an order without id, amount or status");
    const act = isEnding ? ending(order) : drawAct(order, random);
    for (const [action, body] of act) await call("POST", `${SIMULATIONS}/${order.id}/${action}`, body);
    if (order.status !== "returned" && !order.settlement) open += 1;
  }
  return { open };
}

type Act = readonly (readonly [action: string, body: object])[];

function drawAct(order: Order, random: Random): Act {
  const dice = random(1, 100);
  if (order.status === "pending_submission") return dice <= 50 ? [["submit", {}]] : [];
  if (order.status !== "submitted") return [];
  if (!order.settlement) {
    if (dice <= 8) return [["return", { reason: "no_account" }]];
    return dice <= 60 ? [settle(order, dice % 3 === 0)] : [];
  }
  // Looked at several times a second.
  return dice <= 1 ? [["return", { reason: "insufficient_fund" }]] : [];
}

/** Some pulls are held: settled, and not to be spent yet. */
function settle({ amount }: Order, isHeld: boolean): readonly [string, object] {
  const held = { inbound_funds_hold_behavior: "release_on_default_schedule" };
  return ["settle", isHeld && amount < 0 ? held : {}];
}

function ending(order: Order): Act {
  if (order.status === "pending_submission") return [["submit", {}], settle(order, false)];
  return order.status === "submitted" && !order.settlement ? [settle(order, false)] : [];
}

async function openWindow(owner: pg.Pool, isEnding: boolean): Promise<void> {
  // A product's clock may be slow by less than that. In the end what is asked about again is not waited for either.
  await owner.query(
    `update transfers t set due_at = now() + o.clock_offset_ms * interval '1 millisecond' - interval '1 minute'
       from organizations o
      where o.id = t.organization_id and t.status = 'PROCESSING' and t.due_at > now() - interval '30 seconds'
        and (t.next_step = 'SUBMIT' or (t.next_step = 'ASK' and $1))`,
    [isEnding],
  );
}

function isOrder(order: unknown): order is Order {
  const { id, amount, status } = Object(order);
  return typeof id === "string" && typeof amount === "number" && typeof status === "string";
}
