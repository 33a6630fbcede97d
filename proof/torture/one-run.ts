import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { type AgentOptions, type Desk, runAgent } from "@/proof/torture/actors/agent";
import { type Dashboard, openDashboard, readActionIds } from "@/proof/torture/actors/dashboard";
import { runMandates } from "@/proof/torture/actors/mandates";
import { runClerk, runMember, runPayers } from "@/proof/torture/actors/member";
import type { IncreaseScene } from "@/proof/torture/bank/open-increase";
import { runChaos } from "@/proof/torture/chaos/faults";
import { pickUp } from "@/proof/torture/chaos/product-fleet";
import type { BankBooks } from "@/proof/torture/checker/bank-books";
import { type Checked, check } from "@/proof/torture/checker/check";
import { createStepCounter, isEnough, type Steps } from "@/proof/torture/checker/check-actors";
import type { HistoryEvent, Violation } from "@/proof/torture/checker/history";
import { reconcileAll } from "@/proof/torture/misreport";
import { openScene, type Scene } from "@/proof/torture/open-scene";
import type { BankKind, PlantedFault } from "@/proof/torture/planted-faults";
import { type Party, type PartyMember, REQUESTS_PER_KEY } from "@/proof/torture/world";

interface RunOptions {
  seed: number;
  /** New; receives the history, the logs and the database. */
  folder: string;
  /** Bundled `proof/torture/product-main.ts`. */
  program: string;
  /** The usual duration of activity (`MOST_TIMES_LONGER`); settling and checking come after. */
  seconds: number;
  bank: BankKind;
  plantedFault: PlantedFault | null;
}

export interface RunResult extends Checked {
  faults: number;
  actedSeconds: number;
  /** Late, lost, wrong and duplicated answers of an external bank, and the events of OddBank. */
  disturbed: number;
}

const PARTIES = 3;
const AGENTS_PER_PARTY = 3;
const INTENTS_PER_AGENT = 120;
/** Twins and repetitions use some, too. */
const KEYS_PER_AGENT = Math.ceil((2 * INTENTS_PER_AGENT) / REQUESTS_PER_KEY);

/** One seed: a world is opened, lives through faults, comes to rest, and is checked. */
export async function runSeed(options: RunOptions): Promise<RunResult> {
  const scene = await openScene({
    ...options,
    partyCount: PARTIES,
    keyCount: AGENTS_PER_PARTY * KEYS_PER_AGENT,
  });
  try {
    const { faults, actedSeconds } = await live(scene, options.seconds);
    scene.receiver.recover();
    const unsettled = [
      ...(await settleAtBank(scene)),
      ...(await changeLines(scene)),
      ...(await settle(scene.owner)),
      ...(await reconcile(scene.owner)),
    ];
    await Promise.all(scene.products.map((product) => product.kill()));
    scene.increase?.recover();
    const books = scene.increase && (await scene.increase.readBooks());
    if (books) await writeFile(join(scene.folder, "bank.json"), JSON.stringify(books));
    const { violations, summary } = await check(scene.historyPath, scene.owner, books);
    const ended = scene.unexpectedEnds.map((what) => ({
      promise: "a process runs until it is stopped",
      what,
    }));
    const { increase } = scene;
    const disturbed = increase ? increase.proxy.disturbed() + increase.oddities() : 0;
    const all = [...ended, ...unsettled, ...violations];
    return { violations: all, summary, faults, actedSeconds, disturbed };
  } finally {
    await scene.close();
  }
}

/** What a seed proves hangs on the work done: a slow machine gets up to so many times its time. */
const MOST_TIMES_LONGER = 3;
const ENOUGH_LOOKS_EVERY_MS = 250;

interface Lived {
  faults: number;
  actedSeconds: number;
}

/**
 * Until every agent has done what it wanted, or time is over, and then until every step was accepted often enough; members,
 * payers and clerks act as long as that.
 */
async function live(scene: Scene, seconds: number): Promise<Lived> {
  const { nextSeries } = scene;
  const actionIds = await readActionIds();
  const agentsEnd = new AbortController();
  const othersEnd = new AbortController();
  const counted = countAnswers(scene);
  const agents: Promise<void>[] = [];
  const others: Promise<void>[] = [];
  for (const [place, party] of scene.parties.entries()) {
    const desk: Desk = { proposals: [], cancellable: [] };
    for (const options of agentsOf(scene, party, desk, place)) {
      agents.push(runAgent({ ...options, history: counted.history, signal: agentsEnd.signal }));
    }
    const open = (member: PartyMember) => openDashboard(member, pickDashboard(scene), actionIds);
    for (const member of party.members) {
      const asMember = { party, member, desk, dashboard: open(member), history: counted.history };
      others.push(runMember({ ...asMember, random: nextSeries(), signal: othersEnd.signal }));
    }
    const dashboard = openOwnersDashboard(party, open);
    const random = scene.nextSeries();
    const apiUrl = () => pickUp(scene.products, random);
    const asSigner = { party, desk, dashboard, random, apiUrl, history: counted.history };
    others.push(runMandates({ ...asSigner, name: `m${place}`, signal: othersEnd.signal }));
    const isBankOutside = scene.increase !== null;
    const asClerk = { party, isBankOutside, dashboard, history: counted.history, random: nextSeries() };
    others.push(runClerk({ ...asClerk, signal: othersEnd.signal }));
    others.push(runPayers({ ...asClerk, random: nextSeries(), signal: othersEnd.signal }));
  }
  const { increase } = scene;
  if (increase) others.push(runBank(scene, increase, othersEnd.signal));
  const chaosEnds = new AbortController();
  const random = nextSeries();
  const dataDirectory = scene.folder;
  const { answered, history } = counted;
  const bank = increase?.proxy ?? null;
  const chaos = runChaos({
    ...scene,
    bank,
    history,
    dataDirectory,
    random,
    answered,
    signal: chaosEnds.signal,
  });
  const startedAt = performance.now();
  try {
    await untilEnough({
      agents: Promise.all(agents),
      others: Promise.all([...others, chaos]),
      seconds,
      steps: counted.steps,
    });
  } finally {
    agentsEnd.abort();
    chaosEnds.abort();
    othersEnd.abort();
  }
  const actedSeconds = (performance.now() - startedAt) / 1_000;
  await Promise.all([...agents, ...others]);
  return { faults: await chaos, actedSeconds };
}

interface Living {
  agents: Promise<unknown>;
  /** They end only with an error. */
  others: Promise<unknown>;
  seconds: number;
  /** So far. */
  steps: Steps;
}

/** @throws Error with which an actor ended */
async function untilEnough({ agents, others, seconds, steps }: Living): Promise<void> {
  const startedAt = performance.now();
  let haveEnded = false;
  const end = () => {
    haveEnded = true;
  };
  const watched = Promise.all([agents.then(end), others]);
  const isOver = () => {
    const elapsed = performance.now() - startedAt;
    if (elapsed >= MOST_TIMES_LONGER * seconds * 1_000) return true;
    return (haveEnded || elapsed >= seconds * 1_000) && isEnough(steps);
  };
  while (!isOver()) {
    await Promise.race([watched, new Promise((resolve) => setTimeout(resolve, ENOUGH_LOOKS_EVERY_MS))]);
  }
}

/**
 * Each with its own keys, so that agents do not share a rate limit; one has a key that will be revoked, one a capped
 * key.
 */
function agentsOf(scene: Scene, party: Party, desk: Desk, place: number): Omit<AgentOptions, "signal">[] {
  const keySets = Array.from({ length: AGENTS_PER_PARTY }, (_, index) => {
    const [from, to] = [index * KEYS_PER_AGENT, (index + 1) * KEYS_PER_AGENT];
    return { moving: party.keys.moving.slice(from, to), asking: party.keys.asking.slice(from, to) };
  });
  for (const key of [party.doomedKey, party.cappedKey]) keySets.push({ moving: [key], asking: [key] });
  return keySets.map((keys, index) => {
    const random = scene.nextSeries();
    return {
      name: `a${place}${index}`,
      party: { ...party, keys },
      desk,
      history: scene.history,
      random,
      apiUrl: () => pickUp(scene.products, random),
      intents: index < AGENTS_PER_PARTY ? INTENTS_PER_AGENT : REQUESTS_PER_KEY,
    };
  });
}

function pickDashboard({ products, nextSeries }: Scene): () => Promise<string> {
  const whole = products.filter(({ hasDashboard }) => hasDashboard);
  const random = nextSeries();
  return () => pickUp(whole, random);
}

function openOwnersDashboard({ members }: Party, open: (member: PartyMember) => Dashboard): Dashboard {
  const owner = members[0];
  if (!owner) throw new Error("A party has members");
  return open(owner);
}

/** Faults fall after so many answers, and a seed ends after so many accepted steps. */
function countAnswers({ history }: Scene) {
  let answers = 0;
  const { steps, count } = createStepCounter();
  const record = (event: HistoryEvent) => {
    if (event.kind === "answered" || event.kind === "verdict") answers += 1;
    count(event);
    history.record(event);
  };
  return { history: { ...history, record }, answered: () => answers, steps };
}

/** Between two looks of the bank at its orders. */
const BANK_LOOKS_EVERY_MS = 250;

async function runBank({ owner, nextSeries }: Scene, increase: IncreaseScene, signal: AbortSignal) {
  const random = nextSeries();
  while (!signal.aborted) {
    await retried(() => increase.play(owner, random, false));
    await new Promise((resolve) => setTimeout(resolve, BANK_LOOKS_EVERY_MS));
  }
}

/** PostgreSQL is killed under this process, too. */
async function retried<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Error && ("code" in error || error.message.includes("Connection terminated")))
      return null;
    throw error;
  }
}

/** After lost answers, orders are asked about with growing intervals; a worker that backed off comes back. */
const MOST_AT_BANK_MS = 180_000;

/**
 * A bank outside of the products runs in real time: before any clock here is moved, its orders end, what it says of them
 * is booked, and its statement is compared.
 */
async function settleAtBank({ increase, owner, nextSeries }: Scene): Promise<Violation[]> {
  if (!increase) return [];
  increase.proxy.recover();
  await waitForLeases(owner);
  const random = nextSeries();
  const since = performance.now();
  let left: Open[] = [];
  while (performance.now() - since < MOST_AT_BANK_MS) {
    const { open } = await increase.play(owner, random, true);
    left = await readOpenAtBank(owner, await increase.readBooks());
    if (open === 0 && left.length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, BANK_LOOKS_EVERY_MS));
  }
  return left.map(({ what, count }) => ({ promise: "everything ends", what: `${count} ${what} have none` }));
}

/** After everything there was compared once, the bank says something else of some lines. */
async function changeLines({ increase, owner }: Scene): Promise<Violation[]> {
  if (!increase) return [];
  const unsettled = await reconcile(owner, 0);
  await increase.changeLines(owner);
  return unsettled;
}

async function reconcile(owner: pg.Pool, daysLater?: number): Promise<Violation[]> {
  if (await reconcileAll(owner, daysLater)) return [];
  return [{ promise: "everything ends", what: "a reconciliation has not ended" }];
}

async function readOpenAtBank(owner: pg.Pool, { orders, deposits }: BankBooks): Promise<Open[]> {
  const { rows } = await owner.query<Open>(
    `select * from (
       select 'transfers at the bank' as what, count(*)::int as count from transfers where status = 'PROCESSING'
       union all select 'notices of the bank', count(*)::int from bank_inbox where acknowledged_at is null
       union all select 'settlements', $1 - count(*)::int from bank_inbox where notice ->> 'kind' = 'SETTLED'
       union all select 'returns', $2 - count(*)::int from bank_inbox where notice ->> 'kind' = 'RETURNED'
       union all select 'deposits', $3 - count(*)::int from bank_inbox where notice ->> 'kind' = 'DEPOSITED') as open
      where count <> 0`,
    [
      orders.filter(({ settlement }) => settlement !== null).length,
      orders.filter(({ status }) => status === "returned").length,
      deposits.filter(({ acceptance }) => acceptance !== null).length,
    ],
  );
  return rows;
}

const STEP_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 200;
/** Workers poll every second or two, and back off longer after failures. */
const QUIET_FOR_MS = 1_800;
/**
 * Leases of a killed process last a minute of real time, in which all the days below would pass. A minute and the
 * bank's answer.
 */
const MAXIMUM_LEASE_MS = 75_000;
/** Banks answer within a week; what has not ended after a month never will. */
const MOST_DAYS = 30;

/**
 * Advances business time, a day at a time, until everything has ended: money at the bank, proposals, runs, events.
 * There are no faults anymore.
 * @returns what is left if it does not come to rest: it was lost, or will never end
 */
async function settle(owner: pg.Pool): Promise<Violation[]> {
  await waitForLeases(owner);
  for (let days = 0; days < MOST_DAYS; days++) {
    if (await becomesQuiet(owner)) return [];
    await sendDeadAgain(owner);
    await owner.query("update organizations set clock_offset_ms = clock_offset_ms + $1", [STEP_MS]);
  }
  const left = await readOpen(owner);
  return left.map(({ what, count }) => ({
    promise: "everything ends",
    what: `${count} ${what} have none`,
  }));
}

/** Until no transfer is leased anymore; one with a longer lease than anything takes is left for the checker. */
async function waitForLeases(owner: pg.Pool): Promise<void> {
  const since = performance.now();
  while (performance.now() - since < MAXIMUM_LEASE_MS) {
    const { rowCount } = await owner.query(
      "select 1 from transfers where status = 'PROCESSING' and leased_until > now() limit 1",
    );
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Waits until nothing is open, or until what is open has not changed for a while. @returns whether nothing is open */
async function becomesQuiet(owner: pg.Pool): Promise<boolean> {
  let before = "";
  let since = performance.now();
  while (performance.now() - since < QUIET_FOR_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const open = await readOpen(owner);
    if (open.length === 0) return true;
    const now = JSON.stringify(open);
    if (now !== before) since = performance.now();
    before = now;
  }
  return false;
}

interface Open {
  what: string;
  count: number;
}

async function readOpen(owner: pg.Pool): Promise<Open[]> {
  const { rows } = await owner.query<Open>(
    `select * from (
       select 'transfers' as what, count(*)::int as count from transfers where status in ('PROCESSING', 'APPROVAL_PENDING')
       union all select 'runs of rules', count(*)::int from rule_executions where status in ('IN_PROGRESS', 'APPROVAL_PENDING')
       union all select 'notices of the bank', count(*)::int from sandbox_bank_notices where deliveries_left > 0
       union all select 'moves between accounts at the bank', count(*)::int from own_bank_accounts o
         where o.move_id is not null or o.at_bank_in_cents <> own_bank_account_target(o)
       union all select 'deliveries', count(*)::int from webhook_deliveries where status <> 'DELIVERED'
       union all select 'unsealed entries', count(*)::int from audit_unsealed) as open
      where count > 0`,
  );
  return rows;
}

/** Eight failures in a row happen: a person sends those again. */
async function sendDeadAgain(owner: pg.Pool): Promise<void> {
  await owner.query(
    "update webhook_deliveries set status = 'PENDING', round_attempts = 0, due_at = '-infinity' where status = 'DEAD'",
  );
  await owner.query(
    `update webhook_endpoints set status = 'ENABLED', disabled_at = null, disabled_because = null, disabled_by = null
      where status = 'DISABLED'`,
  );
}
