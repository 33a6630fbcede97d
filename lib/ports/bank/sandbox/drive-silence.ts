import type { Pool } from "pg";

/** Makes the sandbox bank answer this organization nothing until then (business time). */
export async function goSilent(pool: Pool, input: { organizationId: string; until: Date }): Promise<void> {
  await pool.query({
    name: "sandbox_bank_go_silent",
    text: `insert into sandbox_bank_silences values ($1, $2)
           on conflict (organization_id) do update set silent_until = excluded.silent_until`,
    values: [input.organizationId, input.until],
  });
}

/** Until when the bank answers this organization nothing; null when it answers. */
export async function readSilence(
  pool: Pool,
  input: { organizationId: string; businessNow: Date },
): Promise<Date | null> {
  const { rows } = await pool.query<{ silent_until: Date }>({
    name: "sandbox_bank_read_silence",
    text: "select silent_until from sandbox_bank_silences where organization_id = $1 and silent_until > $2",
    values: [input.organizationId, input.businessNow],
  });
  return rows[0]?.silent_until ?? null;
}
