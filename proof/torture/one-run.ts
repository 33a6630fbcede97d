import { type AgentOptions, type Desk, runAgent } from "@/proof/torture/actors/agent";
import { runClerk } from "@/proof/torture/actors/clerk";
import { type Dashboard, openDashboard, readActionIds } from "@/proof/torture/actors/dashboard";
import { runMember } from "@/proof/torture/actors/member";
import { runChaos } from "@/proof/torture/chaos/faults";
import { type Checked, check } from "@/proof/torture/checker/check";
import type { HistoryEvent } from "@/proof/torture/checker/history";
import { openScene, type Scene } from "@/proof/torture/open-scene";
import type { PlantedFault } from "@/proof/torture/planted-faults";
import { settle } from "@/proof/torture/settle";
import { type Party, type PartyMember, REQUESTS_PER_KEY } from "@/proof/torture/world";

export interface RunOptions {
  seed: number;
  /** New; keeps the history, the logs and the database. */
  folder: string;
  /** Bundled `proof/torture/product-main.ts`. */
  program: string;
  /** For how long things happen at most; settling and checking come after. */
  seconds: number;
  plantedFault: PlantedFault | null;
}

export interface RunResult extends Checked {
  faults: number;
}

const PARTIES = 3;
const AGENTS_PER_PARTY = 3;
const INTENTS_PER_AGENT = 120;
/** Twins and repetitions take some, too. */
const KEYS_PER_AGENT = Math.ceil((2 * INTENTS_PER_AGENT) / REQUESTS_PER_KEY);

/** One seed: a world is opened, lives through faults, comes to rest, and is checked. */
export async function runSeed(options: RunOptions): Promise<RunResult> {
  const scene = await openScene({
    ...options,
    partyCount: PARTIES,
    keyCount: AGENTS_PER_PARTY * KEYS_PER_AGENT,
  });
  try {
    const faults = await live(scene, options.seconds);
    scene.receiver.recover();
    const unsettled = await settle(scene.owner);
    await Promise.all(scene.products.map((product) => product.kill()));
    const { violations, summary } = await check(scene.historyPath, scene.owner);
    const ended = scene.unexpectedEnds.map((what) => ({
      promise: "a process runs until it is stopped",
      what,
    }));
    return { violations: [...ended, ...unsettled, ...violations], summary, faults };
  } finally {
    await scene.close();
  }
}

/** Until every agent has done what it wanted, or time is over; members and clerks act as long as agents do. */
async function live(scene: Scene, seconds: number): Promise<number> {
  const { nextSeries } = scene;
  const actionIds = await readActionIds();
  const agentsEnd = new AbortController();
  const othersEnd = new AbortController();
  const timer = setTimeout(() => agentsEnd.abort(), seconds * 1_000);
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
    const asClerk = { party, dashboard, history: counted.history, random: nextSeries() };
    others.push(runClerk({ ...asClerk, signal: othersEnd.signal }));
  }
  const chaosEnds = new AbortController();
  const random = nextSeries();
  const dataDirectory = scene.folder;
  const { answered, history } = counted;
  const chaos = runChaos({ ...scene, history, dataDirectory, random, answered, signal: chaosEnds.signal });
  try {
    await Promise.all(agents);
  } finally {
    clearTimeout(timer);
    chaosEnds.abort();
    othersEnd.abort();
  }
  await Promise.all(others);
  return chaos;
}

/** Each with keys of its own, so that one agent's rate limit is no other's; one has a key that will be revoked, one a capped key. */
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
      apiUrl: () => scene.products[random(0, scene.products.length - 1)]?.url ?? "",
      intents: index < AGENTS_PER_PARTY ? INTENTS_PER_AGENT : REQUESTS_PER_KEY,
    };
  });
}

function pickDashboard({ products, nextSeries }: Scene): () => string {
  const whole = products.filter(({ hasDashboard }) => hasDashboard);
  const random = nextSeries();
  return () => whole[random(0, whole.length - 1)]?.url ?? "";
}

function openOwnersDashboard({ members }: Party, open: (member: PartyMember) => Dashboard): Dashboard {
  const owner = members[0];
  if (!owner) throw new Error("A party has members");
  return open(owner);
}

/** Faults fall after so many answers. */
function countAnswers({ history }: Scene) {
  let count = 0;
  const record = (event: HistoryEvent) => {
    if (event.kind === "answered" || event.kind === "verdict") count += 1;
    history.record(event);
  };
  return { history: { ...history, record }, answered: () => count };
}
