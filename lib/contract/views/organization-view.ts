import type { TimeContext } from "@/lib/contract/views/time-context";

/** The settings of an organization. */
export interface OrganizationView {
  name: string;
  kind: "INDIVIDUAL" | "BUSINESS";
  createdAt: string;
  timeZone: string;
  /** All that this server knows. */
  timeZones: readonly string[];
  /** Null: a new pod has no floor unless its form sets one. */
  newPodFloorInCents: number | null;
  /** What may leave Sluice within 24 hours; null without real money. */
  moneyOut: { capInCents: number | null; leftInCents: number | null } | null;
  viewer: { canChange: boolean };
  time: TimeContext;
}
