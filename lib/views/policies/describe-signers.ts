import type { Requirement } from "@/lib/contract/policies/policy";
import type { PolicyPerson } from "@/lib/core/policies/read-people";
import type { Progress } from "@/lib/engine/policies/progress-of";

type SignerState = "SIGNED" | "MISSING" | "OPEN" | "LATER" | "CANNOT";

interface Signing {
  /** What signatures are asked for: by the version in force, and by what may replace it. */
  requirements: readonly { requirement: Requirement }[];
  progress: Progress;
  signatures: readonly { memberId: string; at: Date }[];
  people: readonly PolicyPerson[];
}

/** Whose signatures a policy or a mandate has and lacks, and the viewer's own. */
export function describeSigners({ requirements, progress, signatures, people }: Signing, viewerId: string) {
  // Where nothing is asked for, one decider signs.
  const needed = Math.max(
    1,
    ...requirements.map(({ requirement }) =>
      requirement.stages.reduce((sum, { atLeast }) => sum + atLeast, 0),
    ),
  );
  const missing = Math.max(0, ...progress.requirements.map(({ missingCount }) => missingCount));
  const eligible = new Set(
    progress.requirements.flatMap(({ stages }) => stages.flatMap(({ eligibleIds }) => eligibleIds)),
  );
  const stateOf = (id: string): SignerState => {
    if (signatures.some(({ memberId }) => memberId === id)) return "SIGNED";
    if (!progress.maySign.includes(id)) return eligible.has(id) ? "LATER" : "CANNOT";
    return progress.wouldComplete.includes(id) && progress.maySign.length === 1 ? "MISSING" : "OPEN";
  };
  return {
    needed,
    given: Math.max(0, needed - missing),
    people: people
      .filter(({ role }) => role === "OWNER" || role === "CO_OWNER")
      .map(({ id, name }) => ({
        id,
        name,
        isViewer: id === viewerId,
        signedAt: signatures.find(({ memberId }) => memberId === id)?.at.toISOString() ?? null,
        state: stateOf(id),
      })),
    viewer: {
      hasSigned: signatures.some(({ memberId }) => memberId === viewerId),
      maySign: progress.maySign.includes(viewerId),
    },
  };
}

export type SignerView = ReturnType<typeof describeSigners>["people"][number];
