/** How long a pointer rests on a link that is meant: one that crosses it on its way stays for less. */
export const INTENT_MS = 60;
