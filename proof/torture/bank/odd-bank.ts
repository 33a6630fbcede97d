import type { IncreaseEmulator } from "@/proof/emulators/increase/emulator";
import type { Random } from "@/proof/torture/actors/agent";

/** As many as a batch that settles has, more than a round reads. */
const BURST = 2_300;
const MOST_BURSTS = 2;
const HOUR_MS = 3_600_000;

/** Of a thousand looks of the bank, of which there are four a second. */
const WEIGHTS = {
  BURST: 15,
  UNREADABLE: 50,
  READABLE: 60,
  NOWHERE: 30,
  UNKNOWN: 30,
  LATE: 40,
  ENDLESS: 20,
} as const;
type Oddity = keyof typeof WEIGHTS;

/**
 * What a real bank does rarely: bursts of events, objects that cannot be read for a while, events about nothing or of a kind
 * that nobody knows, events that come late and again, a list that names a next page for ever.
 */
export class OddBank {
  readonly #emulator: IncreaseEmulator;
  readonly #random: Random;
  readonly #unreadable: string[] = [];
  #bursts = 0;
  #done = 0;

  constructor(emulator: IncreaseEmulator, random: Random) {
    this.#emulator = emulator;
    this.#random = random;
  }

  /** How many oddities there were. */
  get done(): number {
    return this.#done;
  }

  /** One look: mostly nothing. @param orderIds of Increase */
  act(orderIds: readonly string[]): void {
    const oddity = draw(this.#random(1, 1_000));
    const orderId = orderIds[this.#random(0, Math.max(orderIds.length - 1, 0))];
    if (oddity === null || orderId === undefined) return;
    const { odd } = this.#emulator;
    const emit = (category: string, objectId: string, createdAt?: Date) =>
      this.#emulator.emit({ category, objectId, ...(createdAt && { createdAt }) });
    switch (oddity) {
      case "BURST":
        if (this.#bursts === MOST_BURSTS) return;
        this.#bursts += 1;
        this.#emulator.burst(BURST);
        break;
      case "UNREADABLE":
        odd.fail(orderId, ([400, 404, 500] as const)[this.#random(0, 2)]);
        this.#unreadable.push(orderId);
        break;
      case "READABLE": {
        const id = this.#unreadable.shift();
        if (id === undefined) return;
        odd.recover(id);
        break;
      }
      case "NOWHERE":
        emit("ach_transfer.updated", `ach_transfer_gone_${this.#done}`);
        break;
      case "UNKNOWN":
        emit("brand_new_thing.updated", orderId);
        break;
      case "LATE":
        emit("ach_transfer.updated", orderId, new Date(this.#emulator.now().getTime() - HOUR_MS));
        break;
      case "ENDLESS":
        odd.isListEndless = !odd.isListEndless;
    }
    this.#done += 1;
  }

  /** From now on the bank is as its document says. */
  recover(): void {
    this.#emulator.odd.recover();
  }
}

function draw(dice: number): Oddity | null {
  let rest = dice;
  for (const oddity of Object.keys(WEIGHTS) as Oddity[]) {
    rest -= WEIGHTS[oddity];
    if (rest <= 0) return oddity;
  }
  return null;
}
