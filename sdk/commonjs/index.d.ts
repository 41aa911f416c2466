// The SDK's types for compilers that tell CommonJS from modules by the package.json beside a file. The code is the same:
// Node can require modules.
import type * as sdk from '../index.js' with { 'resolution-mode': 'import' }
export type * from '../index.js' with { 'resolution-mode': 'import' }
export declare const Bursar: typeof sdk.Bursar
export type Bursar = sdk.Bursar
export declare const BursarAdmin: typeof sdk.BursarAdmin
export type BursarAdmin = sdk.BursarAdmin
export declare const BursarError: typeof sdk.BursarError
export type BursarError = sdk.BursarError
export declare const verifyWebhook: typeof sdk.verifyWebhook
