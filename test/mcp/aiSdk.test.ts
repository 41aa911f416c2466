// The example for the AI SDK: everything is real but the model, in whose place a script makes the calls.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import { MockLanguageModelV3 } from 'ai/test'
import type { LanguageModel } from 'ai'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { projectRoot } from '../support/root.js'
import { start } from '../support/service.js'

type Answer = (
  model: LanguageModel,
  prompt: string,
  reach: { url: string; agentKey: string },
) => Promise<{ text: string; steps: { toolResults: { toolName: string; output: unknown }[] }[] }>

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

test('the AI SDK lists the tools and pays once with them', async (t) => {
  const service = await start(t)
  const { key } = await fundedAgent(service.client)
  const wanted = JSON.stringify({ amount: 5, recipientAddress: RECIPIENT, paymentKey: 'Order-17' })
  const script = [
    { toolName: 'get_limits', input: '{}' },
    { toolName: 'pay', input: wanted },
    { toolName: 'pay', input: wanted },
  ]
  let step = 0
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const next = script[step]
      step += 1
      if (next === undefined) {
        const finishReason = { unified: 'stop' as const, raw: undefined }
        return { content: [{ type: 'text', text: 'Paid' }], finishReason, usage: USAGE, warnings: [] }
      }
      const content = [{ type: 'tool-call' as const, toolCallId: `call-${step}`, ...next }]
      const finishReason = { unified: 'tool-calls' as const, raw: undefined }
      return { content, finishReason, usage: USAGE, warnings: [] }
    },
  })
  const { answer } = (await import(pathToFileURL(join(projectRoot, 'examples', 'aiSdk.mjs')).href)) as {
    answer: Answer
  }
  const { text, steps } = await answer(model, 'Pay order 17', { url: service.url, agentKey: key })
  t.is(text, 'Paid')
  const names = steps.flatMap(({ toolResults }) => toolResults.map(({ toolName }) => toolName))
  t.deepEqual(names, ['get_limits', 'pay', 'pay'])
  const { body } = await service.client.get<{ transactions: unknown[] }>('/api/sdk/transactions', key)
  t.is(body.transactions.length, 1)
})
