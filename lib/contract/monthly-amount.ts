import type { StreamFrequency, StreamStatus } from "@/lib/contract/financial-profile";

/** The windows of the profile page. */
export const PROFILE_DAYS = [30, 90, 365] as const;

export type ProfileDays = (typeof PROFILE_DAYS)[number];

export const DAYS_IN_A_MONTH = 365.25 / 12;

/** Occurrences per month of average length. */
const TIMES_A_MONTH: Record<StreamFrequency, number> = {
  WEEKLY: DAYS_IN_A_MONTH / 7,
  EVERY_OTHER_WEEK: DAYS_IN_A_MONTH / 14,
  TWICE_A_MONTH: 2,
  MONTHLY: 1,
  QUARTERLY: 1 / 3,
  YEARLY: 1 / 12,
  IRREGULAR: 0,
};

/** What a stream amounts to per month; 0 once it has ended. The total of bills is the sum of these. */
export function monthlyAmount(stream: {
  averageInCents: number;
  frequency: StreamFrequency;
  status: StreamStatus;
}): number {
  return stream.status === "ENDED" ? 0 : Math.round(stream.averageInCents * TIMES_A_MONTH[stream.frequency]);
}
