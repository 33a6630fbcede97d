import type { Act } from "@/components/sandbox/act-form";

/** The server actions behind the sandbox page. */
export interface SandboxActs {
  moveClock: Act;
  deposit: Act;
  sendBack: Act;
  silence: Act;
  purchase: Act;
  payToCard: Act;
  moveOutside: Act;
  changeConnection: Act;
  decidePending: Act;
  setReceiver: Act;
}
