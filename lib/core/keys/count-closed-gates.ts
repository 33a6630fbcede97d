import type { Services } from "@/lib/platform/services";

/** How many organizations of this server have closed all gates: for the metrics, which name none of them. */
export async function countClosedGates({ pool }: Pick<Services, "pool">): Promise<number> {
  const { rows } = await pool.query<{ closed: number }>({
    name: "count_closed_gates",
    text: "select count(*)::int as closed from gate_closings where opened_at is null",
  });
  return rows[0]?.closed ?? 0;
}
