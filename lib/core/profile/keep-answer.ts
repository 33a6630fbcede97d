import type { z } from "zod";
import type { Services } from "@/lib/platform/services";

/** How long an answer is served without being recomputed. */
const FRESH_MS = 10 * 60_000;
/** A read is recorded at most this often, so that page views rarely write. */
const NOTED_EVERY_MS = 60_000;

interface Question<T> {
  organizationId: string;
  /** Business time. */
  now: Date;
  /** Unique among the organization's answers. */
  name: string;
  /** A stored answer that this version of Sluice cannot parse is ignored. */
  schema: z.ZodType<T>;
  /** How old an answer may be while a background job refreshes it; at least `FRESH_MS`. */
  staleMs: number;
  /** Faster answers are computed for each reader and never cached; neither are small ones. */
  keptIfSlowerMs: number;
  /** Whether the answer covers enough data to be slow in itself; a small one may just have been slow once. */
  isBig: (answer: T) => boolean;
}

type Named = Pick<Question<unknown>, "organizationId" | "name">;
type Needs = Pick<Services, "pool" | "clock">;

interface Row {
  createdAt: Date;
  lookedAt: Date;
  answer: unknown;
}

/** An answer that this process is computing, and its business time. */
interface PendingAnswer {
  at: Date;
  answer: Promise<unknown>;
}

/**
 * Caches answers that take seconds: concurrent readers share one computation, and all show the same moment. Reloading a
 * page does not sort a million rows again.
 */
export class AnswerCache {
  readonly #pending = new Map<string, PendingAnswer>();

  /** @param nowMs a monotonic clock that measures how long an answer takes; a parameter for tests */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * Returns the cached answer if it is young enough; otherwise computes it, and caches it if that was slow.
   * @param make computes the answer as of `now`; must be JSON
   */
  async get<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<T> {
    const kept = await readKept(services, question);
    if (kept) {
      const answer = readYoung(kept, question);
      if (answer !== null) {
        if (services.clock.now().getTime() - kept.lookedAt.getTime() > NOTED_EVERY_MS) {
          await noteReader(services, question);
        }
        return answer;
      }
    }
    return await this.#makeOnce(services, question, make);
  }

  /** Recomputes the answer even if it is cached: for the background refresh. */
  async renew<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<void> {
    await this.#makeAndKeep(services, question, make);
  }

  async #makeOnce<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<T> {
    const { organizationId, name, now, schema } = question;
    const key = `${organizationId} ${name}`;
    const other = this.#pending.get(key);
    // If the sandbox clock has moved since, the pending answer is for another time.
    if (other && isYounger({ at: other.at, now }, FRESH_MS)) return schema.parse(await other.answer);
    const entry: PendingAnswer = { at: now, answer: this.#makeAndKeep(services, question, make) };
    this.#pending.set(key, entry);
    try {
      return schema.parse(await entry.answer);
    } finally {
      if (this.#pending.get(key) === entry) this.#pending.delete(key);
    }
  }

  async #makeAndKeep<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<T> {
    const startedAt = this.nowMs();
    const answer = await make();
    const tookLong = this.nowMs() - startedAt >= question.keptIfSlowerMs;
    if (tookLong && question.isBig(answer)) return await keep(services, question, answer);
    await services.pool.query({
      name: "forget_kept_answer",
      text: "delete from kept_answers where organization_id = $1 and name = $2",
      values: [question.organizationId, question.name],
    });
    return answer;
  }
}

/** Shared by all features of this process. */
export const answers = new AnswerCache();

async function readKept({ pool }: Needs, { organizationId, name }: Named): Promise<Row | null> {
  const { rows } = await pool.query<Row>({
    name: "read_kept_answer",
    text: `select made_at as "createdAt", looked_at as "lookedAt", answer from kept_answers
            where organization_id = $1 and name = $2`,
    values: [organizationId, name],
  });
  return rows[0] ?? null;
}

function readYoung<T>(kept: Row, { now, schema, staleMs }: Question<T>): T | null {
  if (!isYounger({ at: kept.createdAt, now }, Math.max(FRESH_MS, staleMs))) return null;
  return schema.safeParse(kept.answer).data ?? null;
}

/** Excludes answers from the future: a sandbox clock may have been reset. */
function isYounger({ at, now }: { at: Date; now: Date }, maximumMs: number): boolean {
  const age = now.getTime() - at.getTime();
  return age >= 0 && age < maximumMs;
}

async function noteReader({ pool, clock }: Needs, { organizationId, name }: Named): Promise<void> {
  await pool.query({
    name: "note_reader_of_answer",
    text: "update kept_answers set looked_at = $3 where organization_id = $1 and name = $2 and looked_at < $3",
    values: [organizationId, name, clock.now()],
  });
}

/**
 * Stores the answer unless another process stored one for nearly the same moment; then returns that one, so that all
 * readers see the same.
 */
async function keep<T>(services: Needs, question: Question<T>, answer: T): Promise<T> {
  const { organizationId, name, now, schema } = question;
  const { rowCount } = await services.pool.query({
    name: "keep_answer",
    text: `
      insert into kept_answers as k (organization_id, name, made_at, answer, worked_out_at, looked_at)
        values ($1, $2, $3, $4, $5, $5)
        on conflict (organization_id, name) do update
          set made_at = excluded.made_at, answer = excluded.answer, worked_out_at = excluded.worked_out_at,
              leased_until = null
          where abs(extract(epoch from k.made_at - excluded.made_at)) * 1000 >= $6`,
    values: [organizationId, name, now, JSON.stringify(answer), services.clock.now(), FRESH_MS],
  });
  const kept = rowCount === 0 ? await readKept(services, question) : null;
  return schema.safeParse(kept?.answer).data ?? answer;
}
