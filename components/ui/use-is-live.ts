import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether the scripts of this page have taken over: false on the server, and until then in the browser. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
