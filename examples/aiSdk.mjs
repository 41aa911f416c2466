// The tools for a model of the AI SDK, over HTTP: give `tools` to generateText or streamText, with a limit of steps.
import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, stepCountIs } from 'ai'

/** Answers the prompt with the tools of the agent whose key is in BURSAR_AGENT_KEY. */
export async function answer(model, prompt, { url, agentKey }) {
  const headers = { Authorization: `Bearer ${agentKey}` }
  const client = await createMCPClient({ transport: { type: 'http', url: `${url}/mcp`, headers } })
  try {
    return await generateText({ model, prompt, tools: await client.tools(), stopWhen: stepCountIs(8) })
  } finally {
    await client.close()
  }
}
