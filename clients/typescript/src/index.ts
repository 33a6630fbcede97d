// biome-ignore-all lint/performance/noBarrelFile: the entrance of a package
// biome-ignore-all lint/performance/noReExportAll: every generated type is part of the package
export type { Answer, CallOptions, SluiceOptions } from "./call.js";
export { type EachItemOptions, eachItem, type ItemPage } from "./each-item.js";
export { type ErrorDetail, SluiceConnectionError, SluiceError, SluiceTimeoutError } from "./errors.js";
export type * from "./generated.js";
export { Sluice, type WaitOptions } from "./sluice.js";
