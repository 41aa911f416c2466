// The SDK: clients for agents and organizations, and the verification of webhooks. It needs only fetch, WebCrypto and
// AbortController.
export { BursarAdmin, type BursarAdminOptions } from './admin.js'
export type * from './api.js'
export { Bursar, type BursarOptions } from './bursar.js'
export type { Answer, Body, Query, Route } from './call.js'
export { BursarError, type PaymentRecord } from './error.js'
export type { Lines } from './lines.js'
export type { Listing, Page } from './listing.js'
export type { PaymentRequest, PayRequest } from './pay.js'
export type { WithSecret } from './secret.js'
export type { CallOptions, ClientOptions } from './send.js'
export { verifyWebhook, type VerifyOptions, type WebhookEvent, type WebhookHeaders } from './webhook.js'
