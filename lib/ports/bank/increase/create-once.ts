import Increase from "increase";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";

/**
 * Creates an object, or reads the one that the same idempotency key created with other details.
 * @throws BankUnavailable for an object without an id, which would be kept as if it had none
 */
export async function createOnce<T extends { id: string }>(
  create: () => Promise<T>,
  retrieve: (id: string) => Promise<T>,
): Promise<T> {
  const object = await createOrRead(create, retrieve);
  if (typeof object.id !== "string") {
    throw new BankUnavailable("Increase's answer is not as documented: an object without an id");
  }
  return object;
}

async function createOrRead<T>(create: () => Promise<T>, retrieve: (id: string) => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    const isUsed = error instanceof Increase.IdempotencyKeyAlreadyUsedError && error.resource_id;
    if (!isUsed) throw error;
    return await retrieve(isUsed);
  }
}
