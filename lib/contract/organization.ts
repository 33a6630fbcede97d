import { z } from "zod";
import { MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

export const organizationNameSchema = plainText(200).trim().min(1, "must not be empty");

/** IANA name, e.g. America/New_York, as this machine knows it. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be a time zone like America/New_York");

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
  | "SECOND_FACTOR";

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    // An offset like +05:00 is taken by Intl, and knows no summer.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
