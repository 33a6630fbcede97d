import { AppError } from "@/lib/contract/error";

/** What whoever would move money is told while all gates are closed (decisions page, "Approval"). */
export function gatesClosed(): AppError {
  return new AppError(
    "ACCESS_DENIED",
    "All gates of this organization are closed: nothing moves until an owner or co-owner opens them. Nothing moved. Reading and dry runs work meanwhile.",
  );
}
