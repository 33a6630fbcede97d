import { expect, test } from "vitest";
import { verifyBank } from "@/lib/core/sandbox/verify-bank";
import { createLog } from "@/lib/platform/log";
import { BankRefusesKey, BankUnavailable } from "@/lib/ports/bank/bank-port";

const log = createLog("silent");
const answering = (error: Error | null) => ({
  name: "Increase",
  verify: () => (error ? Promise.reject(error) : Promise.resolve()),
});

test("a key that the bank refuses stops the start, in the words for the operator", async () => {
  const refused = new BankRefusesKey("Increase refuses INCREASE_API_KEY: it was deleted.");
  await expect(verifyBank(answering(refused), log)).rejects.toThrow("INCREASE_API_KEY: it was deleted");
});

test("a bank that does not answer lets Sluice start, and a fault of our own does not", async () => {
  await expect(verifyBank(answering(null), log)).resolves.toBeUndefined();
  await expect(verifyBank(answering(new BankUnavailable("no answer")), log)).resolves.toBeUndefined();
  await expect(verifyBank(answering(new TypeError("bug")), log)).rejects.toThrow(TypeError);
});
