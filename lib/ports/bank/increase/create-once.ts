import Increase from "increase";

/** Creates an object, or reads the one that the same idempotency key created with other details. */
export async function createOnce<T>(
  create: () => Promise<T>,
  retrieve: (id: string) => Promise<T>,
): Promise<T> {
  try {
    return await create();
  } catch (error) {
    const isUsed = error instanceof Increase.IdempotencyKeyAlreadyUsedError && error.resource_id;
    if (!isUsed) throw error;
    return await retrieve(isUsed);
  }
}
