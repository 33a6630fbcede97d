import { groupWrites } from "@/lib/core/shared/group-writes";
import { shortNetwork } from "@/lib/core/shared/network";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

type NoteServices = Pick<Services, "pool" | "clock" | "log" | "wake">;

/** What this process has written down already: a cache, and nothing that two processes could disagree on. */
interface Written {
  marks: Set<string>;
  underWay: number;
}

/** Beyond it the cache begins anew, which costs one statement for each network in use. */
const MAXIMUM_MARKS = 10_000;
const MAXIMUM_UNDER_WAY = 256;

const writtenByPool = new WeakMap<object, Written>();

interface NetworkItem {
  organizationId: string;
  apiKeyId: string;
  network: string;
  now: Date;
}

/** Of many keys that begin at the same moment, one statement for a group of them. */
const writeNetwork = groupWrites<NetworkItem, { is_told: boolean }>({
  name: "note_key_networks",
  text: "select * from note_key_networks($1)",
  compare: (left, right) => (left.apiKeyId < right.apiKeyId ? -1 : left.apiKeyId > right.apiKeyId ? 1 : 0),
});

/**
 * Writes down from which network a key or an assistant is used, and tells its owners of another one than before: of an
 * IPv4 address the /24, of an IPv6 address the /48. No request waits for it, and only the first of a network in a process
 * costs a statement; what could not be written is tried with the next request.
 */
export function noteNetwork(
  services: NoteServices,
  caller: { organizationId: string; id: string },
  address: string | null,
): void {
  const network = shortNetwork(address);
  const written = writtenByPool.get(services.pool) ?? { marks: new Set(), underWay: 0 };
  writtenByPool.set(services.pool, written);
  const mark = `${caller.id} ${network}`;
  if (network === null || written.marks.has(mark) || written.underWay >= MAXIMUM_UNDER_WAY) return;
  if (written.marks.size >= MAXIMUM_MARKS) written.marks.clear();
  written.marks.add(mark);
  written.underWay += 1;
  void write(services, caller, network).then((isWritten) => {
    written.underWay -= 1;
    if (!isWritten) written.marks.delete(mark);
  });
}

/** Never rejects. */
async function write(
  services: NoteServices,
  caller: { organizationId: string; id: string },
  network: string,
): Promise<boolean> {
  try {
    const { organizationId, id: apiKeyId } = caller;
    const item = { organizationId, apiKeyId, network, now: services.clock.now() };
    if ((await writeNetwork(services.pool, item)).is_told) services.wake(SEND_NOTICES);
    return true;
  } catch (error) {
    const who = { organizationId: caller.organizationId, apiKeyId: caller.id };
    services.log.error({ err: error, ...who }, "where a key is used from could not be written down");
    return false;
  }
}
