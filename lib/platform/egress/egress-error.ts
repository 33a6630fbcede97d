/** Why no connection came about. `ADDRESS`: it is not allowed to lead there. */
export type EgressProblem = "ADDRESS" | "UNKNOWN_HOST" | "DNS" | "TIMEOUT" | "TLS" | "CONNECTION";

/** The message is fit to be read by whoever named the host. */
export class EgressError extends Error {
  constructor(
    readonly problem: EgressProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "EgressError";
  }
}
