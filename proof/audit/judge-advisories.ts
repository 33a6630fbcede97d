import { z } from "zod";

/** An advisory that was looked at and that does not concern Sluice, until when it has to be looked at again. */
const acceptedSchema = z.array(
  z.strictObject({
    /** Its address, e.g. `https://github.com/advisories/GHSA-…`. */
    advisory: z.url(),
    package: z.string().min(1),
    reason: z.string().min(20),
    /** The last day on which it counts. */
    until: z.iso.date(),
  }),
);

const auditSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.enum(["info", "low", "moderate", "high", "critical"]),
      // A name stands for the package by which this one is affected; that one has the advisory.
      via: z.array(
        z.union([z.string(), z.object({ title: z.string(), url: z.string(), severity: z.string() })]),
      ),
    }),
  ),
});

export type Verdict =
  | { kind: "CLEAR"; accepted: number }
  | { kind: "FOUND"; problems: string[] }
  | { kind: "NOT_ASKED"; why: string };

const COUNTS = ["moderate", "high", "critical"];

/**
 * Holds what `npm audit --json` printed against the list of accepted advisories.
 * @param today as `2026-11-22`
 */
export function judgeAdvisories(printed: string, acceptedJson: unknown, today: string): Verdict {
  const accepted = acceptedSchema.parse(acceptedJson);
  const audit = auditSchema.safeParse(parse(printed));
  if (!audit.success) return { kind: "NOT_ASKED", why: whyNot(printed) };
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [name, { via }] of Object.entries(audit.data.vulnerabilities)) {
    for (const each of via) {
      if (typeof each === "string" || !COUNTS.includes(each.severity)) continue;
      const entry = accepted.find((one) => one.advisory === each.url && one.package === name);
      if (entry) used.add(entry.advisory);
      if (!entry) problems.push(`${name}: ${each.severity}, ${each.title} (${each.url})`);
      else if (entry.until < today)
        problems.push(`${name}: accepted until ${entry.until} only (${each.url})`);
    }
  }
  for (const { advisory } of accepted) {
    if (!used.has(advisory))
      problems.push(`${advisory} is accepted and no longer found: take it off the list`);
  }
  return problems.length > 0 ? { kind: "FOUND", problems } : { kind: "CLEAR", accepted: used.size };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function whyNot(printed: string): string {
  const answer = z.object({ message: z.string() }).safeParse(parse(printed));
  // npm names the address of the service, which is its user's business.
  return answer.success ? answer.data.message.split(" - ")[0]?.slice(0, 200) || "no answer" : "no answer";
}
