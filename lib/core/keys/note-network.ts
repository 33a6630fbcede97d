import { groupStatements } from "@/lib/core/shared/group-statements";
import { shortNetwork } from "@/lib/core/shared/network";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

type NoteServices = Pick<Services, "pool" | "clock" | "log" | "wake">;

/** What this process has already recorded: only a cache, so processes cannot disagree on it. */
interface Written {
  marks: Set<string>;
  pending: number;
}

/** Beyond this the cache is cleared, which costs one statement per network in use. */
const MAXIMUM_MARKS = 10_000;
const MAXIMUM_PENDING = 256;

const writtenByPool = new WeakMap<object, Written>();

interface NetworkItem {
  organizationId: string;
  apiKeyId: string;
  network: string;
  now: Date;
}

/** Many keys that start at the same moment share one statement per group. */
const writeNetwork = groupStatements<NetworkItem, { isReported: boolean }>({
  name: "note_key_networks",
  text: `select is_told as "isReported" from note_key_networks($1)`,
  compare: (left, right) => (left.apiKeyId < right.apiKeyId ? -1 : left.apiKeyId > right.apiKeyId ? 1 : 0),
});

/**
 * Records the network from which a key or assistant is used (IPv4 /24, IPv6 /48), and notifies its owners of a new one.
 * Requests do not wait for it, and only the first from a network in a process costs a statement; after a failure the
 * next request tries again.
 */
export function noteNetwork(
  services: NoteServices,
  caller: { organizationId: string; id: string },
  address: string | null,
): void {
  const network = shortNetwork(address);
  const written = writtenByPool.get(services.pool) ?? { marks: new Set(), pending: 0 };
  writtenByPool.set(services.pool, written);
  const mark = `${caller.id} ${network}`;
  if (network === null || written.marks.has(mark) || written.pending >= MAXIMUM_PENDING) return;
  if (written.marks.size >= MAXIMUM_MARKS) written.marks.clear();
  written.marks.add(mark);
  written.pending += 1;
  void write(services, caller, network).then((isWritten) => {
    written.pending -= 1;
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
    if ((await writeNetwork(services.pool, item)).isReported) services.wake(SEND_NOTICES);
    return true;
  } catch (error) {
    const who = { organizationId: caller.organizationId, apiKeyId: caller.id };
    services.log.error({ err: error, ...who }, "recording the network of a key failed");
    return false;
  }
}
