export const MEMORY_TO_BUILD_BYTES: number;
export function readFreeMemory(root?: string): Promise<number | null>;
