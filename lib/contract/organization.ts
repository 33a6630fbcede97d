import { z } from "zod";
import { MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import { timeZoneProblem } from "@/lib/contract/time-zone";

export const organizationNameSchema = plainText(200).trim().min(1, "must not be empty");

/** IANA name of an area, e.g. America/New_York, as this machine knows it. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .superRefine((name, issues) => {
    const message = timeZoneProblem(name);
    if (message !== null) issues.addIssue({ code: "custom", message });
  });

/** Null: nothing is kept back. */
export const newPodFloorSchema = z
  .int("must be an amount like 500.00")
  .min(1, "must be at least 0.01")
  .max(MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS, "is more than an account may hold")
  .nullable();

/** What of an organization, its beneficiaries and its members is written down when a member changes it. */
export type OrganizationChangeKind =
  | "RENAMED"
  | "TIME_ZONE"
  | "NEW_POD_FLOOR"
  | "BENEFICIARY_RENAMED"
  | "BENEFICIARY_REMOVED"
  | "DEFAULT_BENEFICIARY"
  | "MEMBER_ROLE"
  | "MEMBER_REMOVED"
  | "KEY_CAP"
  | "SECOND_FACTOR"
  | "ACCOUNT_RENAMED"
  | "ACCOUNT_FLOOR"
  /** `after` is an `EndpointChange`, `subject` the address. */
  | "ENDPOINT"
  /** A sandbox's; `before` and `after` are moments of business time. */
  | "CLOCK_MOVED";

/** What became of a webhook endpoint. */
export type EndpointChange = "ADDED" | "RECREATED" | "DELETED" | "OFF" | "ON";
