"use client";

import { lazy } from "react";

// Every page includes this and hardly any shows it, so it is loaded lazily.
export const LostWords = lazy(() =>
  import("@/components/shell/lost-text").then((module) => ({ default: module.LostText })),
);
