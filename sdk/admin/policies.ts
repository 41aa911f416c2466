// Policies: editing, dry runs, tests, versions and rollback. With the option `ifMatch` an edit throws VERSION_CONFLICT
// if another edit came first.
import type { Answer, Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

/** `force` overrides tests of the policy that fail; without it such an edit throws POLICY_TESTS_FAILED. */
type Forced = { force?: boolean | undefined }
type Policy = Answer<'POST /api/policies'>

export function policies(client: Client) {
  const { call, list } = client
  return {
    list: (query?: Query<'GET /api/policies'>, options?: CallOptions) =>
      list('GET /api/policies', 'policies', { query }, options),
    get: (policyId: string, options?: CallOptions) =>
      call('GET /api/policies/{policyId}', { path: { policyId } }, options) as Promise<Policy>,
    /** The policy in the given `format`. */
    export: (policyId: string, query: Query<'GET /api/policies/{policyId}'>, options?: CallOptions) =>
      call('GET /api/policies/{policyId}', { path: { policyId }, query }, options),
    create: (body: Body<'POST /api/policies'>, options?: CallOptions) => call('POST /api/policies', { body }, options),
    update: (policyId: string, body: Body<'PATCH /api/policies/{policyId}'>, query?: Forced, options?: CallOptions) =>
      call('PATCH /api/policies/{policyId}', { path: { policyId }, body, query }, options),
    delete: (policyId: string, options?: CallOptions) =>
      call('DELETE /api/policies/{policyId}', { path: { policyId } }, options),
    /** A dry run: the decision on a payment, of which nothing is stored. */
    evaluate: (body: Body<'POST /api/policies/evaluate'>, options?: CallOptions) =>
      call('POST /api/policies/evaluate', { body }, options),
    /** The decisions, of the last 1,000, that an edit would change; nothing is stored. */
    impact: (
      policyId: string,
      body: Body<'POST /api/policies/{policyId}/impact'>,
      query?: Query<'POST /api/policies/{policyId}/impact'>,
      options?: CallOptions,
    ) => call('POST /api/policies/{policyId}/impact', { path: { policyId }, body, query }, options),
    /** The same of a policy that does not exist yet. */
    impactOfNew: (
      body: Body<'POST /api/policies/impact'>,
      query?: Query<'POST /api/policies/impact'>,
      options?: CallOptions,
    ) => call('POST /api/policies/impact', { body, query }, options),
    templates: (options?: CallOptions) => call('GET /api/policy-templates', {}, options),
    rules: rules(client),
    tests: tests(client),
    versions: versions(client),
  }
}

function rules({ call }: Client) {
  return {
    list: (policyId: string, options?: CallOptions) =>
      call('GET /api/policies/{policyId}/rules', { path: { policyId } }, options),
    /** One rule, or several as `{rules}`. */
    add: (policyId: string, body: Body<'POST /api/policies/{policyId}/rules'>, query?: Forced, options?: CallOptions) =>
      call('POST /api/policies/{policyId}/rules', { path: { policyId }, body, query }, options),
    replace: (
      policyId: string,
      rules: Body<'PUT /api/policies/{policyId}/rules'>['rules'],
      query?: Forced,
      options?: CallOptions,
    ) => call('PUT /api/policies/{policyId}/rules', { path: { policyId }, body: { rules }, query }, options),
    update: (
      policyId: string,
      ruleId: string,
      body: Body<'PATCH /api/policies/{policyId}/rules/{ruleId}'>,
      query?: Forced,
      options?: CallOptions,
    ) => call('PATCH /api/policies/{policyId}/rules/{ruleId}', { path: { policyId, ruleId }, body, query }, options),
    remove: (policyId: string, ruleId: string, query?: Forced, options?: CallOptions) =>
      call('DELETE /api/policies/{policyId}/rules/{ruleId}', { path: { policyId, ruleId }, query }, options),
  }
}

function tests({ call }: Client) {
  return {
    get: (policyId: string, options?: CallOptions) =>
      call('GET /api/policies/{policyId}/tests', { path: { policyId } }, options),
    replace: (policyId: string, body: Body<'PUT /api/policies/{policyId}/tests'>, options?: CallOptions) =>
      call('PUT /api/policies/{policyId}/tests', { path: { policyId }, body }, options),
  }
}

function versions({ call, list }: Client) {
  return {
    list: (policyId: string, query?: Query<'GET /api/policies/{policyId}/versions'>, options?: CallOptions) =>
      list('GET /api/policies/{policyId}/versions', 'versions', { path: { policyId }, query }, options),
    get: (policyId: string, version: number, options?: CallOptions) =>
      call('GET /api/policies/{policyId}/versions/{version}', { path: { policyId, version } }, options),
    compare: (policyId: string, from: number, to: number, options?: CallOptions) =>
      call('GET /api/policies/{policyId}/versions/compare', { path: { policyId }, query: { from, to } }, options),
    rollback: (policyId: string, version: number, note?: string, query?: Forced, options?: CallOptions) =>
      call(
        'POST /api/policies/{policyId}/versions/{version}/rollback',
        { path: { policyId, version }, body: { note }, query },
        options,
      ),
  }
}
