export function makeMemoryFolder(root?: string, minimumBytes?: number): Promise<string | null>;
