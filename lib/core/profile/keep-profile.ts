import type { FinancialProfile } from "@/lib/contract/financial-profile";

/** A profile that took longer than this to work out is kept; any other is worked out for everyone who looks. */
const KEPT_IF_SLOWER_MS = 1_000;
const KEPT_FOR_MS = 10 * 60_000;
/** More big organizations than this on one installation work theirs out again. */
const MAXIMUM_KEPT = 100;

interface Kept {
  /** Business time for which it was worked out. */
  at: Date;
  profile: Promise<FinancialProfile>;
}

/**
 * Profiles of organizations so big that theirs takes seconds: worked out once for all who look at the same time, and
 * shown for ten minutes, with when it was made (`generatedAt`). A member who reloads the page does not make the database
 * sort a million rows each time.
 */
export class ProfileKeeper {
  readonly #kept = new Map<string, Kept>();

  /** @param nowMs of a clock that only runs, to tell how long one takes; a parameter where that is tested */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * @param key what tells one profile from another: the organization and the length of the window
   * @param now business time; a sandbox that moved its clock on gets a new one
   */
  async get(key: string, now: Date, make: () => Promise<FinancialProfile>): Promise<FinancialProfile> {
    const kept = this.#kept.get(key);
    if (kept && isYoung(kept, now)) return kept.profile;
    const startedAt = this.nowMs();
    const entry: Kept = { at: now, profile: make() };
    this.#keep(key, entry);
    const forget = () => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    };
    try {
      const profile = await entry.profile;
      if (this.nowMs() - startedAt < KEPT_IF_SLOWER_MS) forget();
      return profile;
    } catch (error) {
      forget();
      throw error;
    }
  }

  #keep(key: string, entry: Kept): void {
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MAXIMUM_KEPT) this.#kept.delete(oldest);
    this.#kept.set(key, entry);
  }
}

function isYoung({ at }: Kept, now: Date): boolean {
  const age = now.getTime() - at.getTime();
  return age >= 0 && age < KEPT_FOR_MS;
}
