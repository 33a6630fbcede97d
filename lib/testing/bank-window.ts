/** From acceptance until an order is handed to the sandbox bank (docs/sandbox-bank.md): what a test moves its clock by. */
export const BANK_WINDOW_MS = 60_000;
