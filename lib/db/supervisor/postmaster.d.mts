/** Where the server lives and how it runs. */
export interface ServerSpec {
  postgres: string;
  uid: number | null;
  gid: number | null;
  dataPath: string;
  dataArgument: string;
  clusterName: string;
  socketPath: string;
  logPath: string;
  startupLog: string;
  settings: string[];
  graceMs: number;
  startTimeoutMs: number;
}

export function obtainPostmaster(
  spec: ServerSpec,
): Promise<{ pid: number; isRunning: () => Promise<boolean> }>;
