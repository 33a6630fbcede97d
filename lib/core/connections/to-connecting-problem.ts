import { AppError } from "@/lib/contract/error";
import {
  AggregatorUnavailable,
  ConnectingRefused,
  NOT_OFFERED,
  SignInNeeded,
  UnknownInstitution,
} from "@/lib/ports/aggregator/aggregator-port";

/** What a member who is connecting is told; faults of ours stay as they are. */
export function toConnectingProblem(error: unknown): unknown {
  if (error instanceof AggregatorUnavailable) {
    return new AppError(
      "INVALID_PARAMETERS",
      `The institution does not answer at the moment (${error.code}). Nothing was connected; try again later.`,
    );
  }
  if (error instanceof ConnectingRefused && error.code === NOT_OFFERED) {
    return new AppError(
      "INVALID_PARAMETERS",
      "The institution does not offer what was chosen. Nothing was connected; choose again from its list.",
    );
  }
  if (error instanceof ConnectingRefused || error instanceof SignInNeeded) {
    return new AppError(
      "INVALID_PARAMETERS",
      `The sign-in at the institution did not count (${error.code}). Begin again.`,
    );
  }
  if (error instanceof UnknownInstitution) {
    return new AppError("INVALID_PARAMETERS", "There is no such institution. Choose one of the list.");
  }
  return error;
}
