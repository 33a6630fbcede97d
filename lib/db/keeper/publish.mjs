import { link, rename, stat, unlink } from "node:fs/promises";
import { createConnection } from "node:net";
import { isErrorWithCode } from "./process-facts.mjs";

const MAX_ATTEMPTS = 20;

/**
 * Gives a socket that listens already its public name, which only one keeper can have: `link` fails where the name
 * exists. One that nobody answers at (its keeper was killed) is cleared away first.
 * @param {string} ownSocket
 * @param {string} publicSocket
 * @returns {Promise<boolean>} false when another keeper answers there.
 */
export async function publish(ownSocket, publicSocket) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      await link(ownSocket, publicSocket);
      await unlink(ownSocket);
      return true;
    } catch (error) {
      if (!isErrorWithCode(error, "EEXIST")) throw error;
    }
    if (!(await clearStale(publicSocket, `${ownSocket}.stale`))) return false;
  }
  throw new Error(`${publicSocket} changes hands again and again.`);
}

/**
 * Moved aside first, and looked at again: had another keeper just published its own, that one gets its name back.
 * @param {string} publicSocket
 * @param {string} aside
 * @returns {Promise<boolean>} false when it is not stale.
 */
async function clearStale(publicSocket, aside) {
  try {
    const { ino } = await stat(publicSocket);
    if (await isAnswered(publicSocket)) return false;
    await rename(publicSocket, aside);
    if ((await stat(aside)).ino !== ino) await link(aside, publicSocket);
    await unlink(aside);
  } catch (error) {
    // Somebody else cleared it (ENOENT), or a third one took the name (EEXIST): look again.
    if (!isErrorWithCode(error, "ENOENT") && !isErrorWithCode(error, "EEXIST")) throw error;
  }
  return true;
}

/** @param {string} path */
function isAnswered(path) {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    const answer = (/** @type {boolean} */ value) => () => {
      probe.destroy();
      resolve(value);
    };
    probe.once("connect", answer(true)).once("error", answer(false));
  });
}
