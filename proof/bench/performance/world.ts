import { addMember } from "@/lib/core/organizations/add-member";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { createPool } from "@/lib/db/pool";
import { moveAnything } from "@/lib/testing/api";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";
import { addLists, type ListOrganization, sizesOf } from "@/proof/bench/api/scene";
import { addCallers, type Caller, settleDown } from "@/proof/bench/arrange";
import { addLiveRules, type LiveRule } from "@/proof/bench/rules/live-runs";
import type { EngineUnderTest } from "./open-engine";

/** A person who signs in. */
export interface Person {
  id: string;
  name: string;
  email: string;
  password: string;
}

/** An organization whose programs need approval, and the person who decides. */
export interface Route {
  sourceAccountId: string;
  destinationAccountId: string;
}

export interface Requesters {
  organizationId: string;
  keyTexts: string[];
  /** Between accounts of their own: people who decide about the same two wait for each other. */
  routes: readonly Route[];
  decider: Person;
  /** The owner's own context, with a session that the bare loop decides with. */
  owner: Context<MemberActor>;
}

/** What is measured on one database, each kind of work in its own organizations. */
export interface World {
  callers: Caller[];
  lists: ListOrganization & { owner: Person };
  /** One rule of each organization. */
  triggered: LiveRule[];
  setOff: LiveRule[];
  requesters: Requesters;
}

const PASSWORD = "measured, once and again";
/** Together 200,000 requests a clock minute: the rate limit is active and never reached. */
const LIST_KEYS = 2_000;
const OTHERS = 10_000;
const ASKING_KEYS = 20;
const ASKED_ROUTES = 32;
/**
 * Enough that two groups of requests seldom meet on a ledger: a process with a single organization would not be
 * representative. Together 200,000 requests a clock minute, the capacity of few organizations with many keys.
 */
export const CALLERS = { organizations: 200, keysPerOrganization: 10 };
const RULES = { organizations: CALLERS.organizations, rules: 1, actions: 1 };
const BALANCE_IN_CENTS = 1_000_000_000_000;

/** @param transfers of the organization whose lists are read */
export async function openWorld(engine: EngineUnderTest, transfers: number): Promise<World> {
  const callers = await addCallers(engine, CALLERS);
  const lists = await addLists(engine, { keys: LIST_KEYS, sizes: sizesOf(transfers, OTHERS) });
  const world = {
    callers,
    lists: { ...lists, owner: await addPerson(engine, lists.organizationId) },
    triggered: await addLiveRules(engine, { ...RULES, trigger: "MANUAL", keys: 2 }),
    setOff: await addLiveRules(engine, { ...RULES, trigger: "ON_FUNDS_TRANSFERRED", keys: 0 }),
    requesters: await addRequesters(engine),
  };
  await settleDown(engine);
  return world;
}

async function addPerson(engine: EngineUnderTest, organizationId: string): Promise<Person> {
  const pool = createPool(engine.application);
  const email = `owner-${organizationId}@example.com`;
  const person = { organizationId, role: "OWNER" as const, email, name: "Mara", password: PASSWORD };
  const { userId } = await addMember(createRealTimeServices(pool), person);
  await pool.end();
  return { id: userId, name: "Mara", email, password: PASSWORD };
}

async function addRequesters(engine: EngineUnderTest): Promise<Requesters> {
  const pools = { pool: createPool(engine.application), ownerPool: createPool(engine.owner) };
  const organization = await createTestOrganization(pools, createRealTimeServices(pools.pool));
  const pod = { type: "POD" as const, balanceInCents: BALANCE_IN_CENTS };
  const routes: Route[] = [];
  for (let made = 0; made < ASKED_ROUTES; made++) {
    routes.push({
      sourceAccountId: await organization.addAccount({ ...pod, name: `Operating ${made}` }),
      destinationAccountId: await organization.addAccount({ ...pod, name: `Taxes ${made}` }),
    });
  }
  const keyTexts: string[] = [];
  for (let made = 0; made < ASKING_KEYS; made++)
    keyTexts.push((await organization.addKey([moveAnything(true)], `asks ${made}`)).text);
  await Promise.all([pools.pool.end(), pools.ownerPool.end()]);
  const { organizationId } = organization;
  const decider = await addPerson(engine, organizationId);
  return { organizationId, keyTexts, routes, decider, owner: organization.owner };
}
